/** The frame of every page, and what is said on all of them. */
export const shell = {
  'action.cancel': 'Cancel',
  'action.close': 'Close',
  'action.copied': 'Copied',
  'action.copy': 'Copy',
  'action.copyThing': 'Copy: {{thing}}',
  'action.done': 'Done',
  'action.retry': 'Try again',
  'action.save': 'Save',
  'action.saved': 'Saved',
  'action.typeName': 'Type the name to confirm',

  'state.loading': 'Loading',

  'table.actions': 'Actions',

  'nav.skip': 'Skip to the content',
  'nav.label': 'Main navigation',
  'nav.open': 'Open the navigation',
  'nav.close': 'Close the navigation',
  'nav.events': 'Events',
  'nav.workspaces': 'Workspaces',
  'nav.operators': 'Operators',
  'nav.account': 'Account of {{name}}',

  'preferences.language': 'Language',
  'preferences.colours': 'Colours',
  'preferences.auto': 'As on the device',
  'preferences.light': 'Light',
  'preferences.dark': 'Dark',
  'preferences.chosen': 'chosen',

  'connection.offline': 'This device is offline. What you see may be out of date.',
  'connection.serverGone': 'The server does not answer. What you see may be out of date.',

  'failed.title': 'This page failed',
  'failed.explanation': 'Nothing that was saved is lost. Try again, or reload the page.',

  'notFound.title': 'Not found',
  'notFound.home': 'To the start page',
} as const
