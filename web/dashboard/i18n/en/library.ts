/** The library of a workspace. */
export const library = {
  'library.empty': 'No publications yet',
  'library.emptyHelp':
    'Drop PDF files anywhere on this page, or choose them. Each one becomes a page with its own address that anyone can read.',
  'library.searchIn': 'Title or address',
  'library.sort': 'Sort by',
  'library.by_created': 'Newest',
  'library.by_updated': 'Last updated',
  'library.by_title': 'Title',
  'library.view': 'View',
  'library.asGrid': 'Covers',
  'library.asTable': 'Table',
  'library.noneFound': 'No matching publications',
  'library.count': '{{shown}} of {{total}} publications loaded',
  'library.pages': 'Pages',
} as const
