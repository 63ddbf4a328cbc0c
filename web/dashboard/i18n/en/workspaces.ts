/** Workspaces and their keys. */
export const workspaces = {
  'workspaces.title': 'Workspaces',
  'workspaces.new': 'New workspace',
  'workspaces.empty': 'No workspaces yet',
  'workspaces.emptyHelp':
    'A workspace holds the publications of one team or site. Create one, then drop PDF files into it, or publish to it from a program with its key.',
  'workspaces.publications_one': '{{figure}} publication',
  'workspaces.publications_other': '{{figure}} publications',
  'workspaces.publications': '{{figure}} publications',
  'workspaces.processing_one': '{{figure}} being rendered',
  'workspaces.processing_other': '{{figure}} being rendered',
  'workspaces.processing': '{{figure}} being rendered',
  'workspaces.since': 'Created {{date}}',

  'workspace.name': 'Name',
  'workspace.nameHelp': 'Only operators see it.',
  'workspace.nameMissing': 'Enter a name',
  'workspace.create': 'Create the workspace',
  'workspace.created': '{{name}} is ready',
  'workspace.createdHelp':
    'Upload files in the library, or give this key to a program that publishes. You find it again under API key.',
  'workspace.toLibrary': 'To the library',
  'workspace.parts': 'Parts of the workspace',
  'workspace.library': 'Library',
  'workspace.key': 'API key',
  'workspace.settings': 'Settings',
  'workspace.delete': 'Delete the workspace',
  'workspace.deleteHelp':
    'Its publications, files, reading figures and keys go with it. Every public page of it is gone at once. This cannot be undone.',
  'workspace.deleteCounts': '{{publications}} will be gone for good, with all public pages.',
  'workspace.deleted': '{{name}} is deleted',

  'key.key': 'API key',
  'key.explanation':
    'With this key a program publishes to this workspace and changes what is in it. Keep it to yourself.',
  'key.since': 'Since {{time}}',
  'key.none': 'There is no key. No program can publish to this workspace.',
  'key.show': 'Show the key',
  'key.hide': 'Hide the key',
  'key.make': 'Make a key',
  'key.cannotShow': 'This key was made under another secret of the server and cannot be shown. It still works.',
  'key.rotate': 'Replace the key',
  'key.rotateHelp':
    'A new key takes the place of the one there is. Let the old one live on for a while, so that programs can change over.',
  'key.rotateSubmit': 'Make the new key',
  'key.rotated': 'The new key is ready',
  'key.keep': 'The old key ends',
  'key.ending': 'Keys that end',
  'key.curlTicket': 'Try it: ask for an upload address',
  'key.curlUpload': 'Upload a file',
  'key.curlCreate': 'Publish it',
} as const
