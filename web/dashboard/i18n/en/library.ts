/** The library of a workspace. */
export const library = {
  'library.empty': 'No publications yet',
  'library.emptyHelp':
    'Drop PDF files anywhere on this page, or choose them. Each becomes a page that anyone can read, with an address of its own.',
  'library.searchIn': 'Title or address',
  'library.sort': 'Sort by',
  'library.by_created': 'Newest',
  'library.by_updated': 'Last change',
  'library.by_title': 'Title',
  'library.view': 'View',
  'library.asGrid': 'Covers',
  'library.asTable': 'Table',
  'library.noneFound': 'No publication matches',
  'library.clear': 'Show all publications',
  'library.count': '{{shown}} of {{total}} publications loaded',
  'library.pages': 'Pages',
} as const
