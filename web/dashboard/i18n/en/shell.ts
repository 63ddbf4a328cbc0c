/** The frame of every page, and texts that several pages share. */
export const shell = {
  'action.cancel': 'Cancel',
  'action.close': 'Close',
  'action.copied': 'Copied',
  'action.copy': 'Copy',
  'action.copyThing': 'Copy: {{thing}}',
  'action.delete': 'Delete…',
  'action.deleteThis': 'Delete {{name}}?',
  'action.done': 'Done',
  'action.retry': 'Try again',
  'action.save': 'Save',
  'action.saved': 'Saved',
  'action.typeName': 'Type the name to confirm',

  'field.name': 'Name',
  'field.nameMissing': 'Enter a name',
  'field.title': 'Title',
  'field.state': 'Status',
  'field.created': 'Created',
  'field.updated': 'Last updated',
  'field.expires': 'Expires',

  'list.search': 'Search',
  'list.all': 'All',
  'list.clear': 'Clear filters',

  'overlap.none': 'Immediately',
  'overlap.hour': 'After 1 hour',
  'overlap.day': 'After 1 day',
  'overlap.week': 'After 1 week',
  'overlap.month': 'After 30 days',

  'state.loading': 'Loading',

  'table.actions': 'Actions',

  'nav.skip': 'Skip to main content',
  'nav.label': 'Main navigation',
  'nav.open': 'Open navigation',
  'nav.close': 'Close navigation',
  'nav.events': 'Events',
  'nav.workspaces': 'Workspaces',
  'nav.operators': 'Operators',
  'nav.settings': 'Settings',
  'nav.account': 'Account: {{name}}',

  'help.title': 'Help',
  'help.appDevelopers': 'Guide for app developers',
  'help.publishing': 'Publishing from programs',
  'help.operating': 'Operating the server',
  'help.reference': 'API reference',

  'preferences.language': 'Language',
  'preferences.units': 'Units',
  'preferences.metric': 'Kilometres and metres',
  'preferences.imperial': 'Miles and feet',
  'preferences.colours': 'Colour theme',
  'preferences.auto': 'Match device',
  'preferences.light': 'Light',
  'preferences.dark': 'Dark',
  'preferences.chosen': 'Selected',

  'connection.offline': 'You are offline. What you see may be out of date.',
  'connection.serverGone': 'The server is not responding. What you see may be out of date.',

  'failed.title': 'This page could not be displayed',
  'failed.explanation': 'Your saved data is safe. Try again, or reload the page.',

  'notFound.title': 'Not found',
  'notFound.home': 'Go to the home page',
} as const
