/** Workspaces and their keys. */
export const workspaces = {
  'workspaces.title': 'Workspaces',
  'workspaces.new': 'New workspace',
  'workspaces.empty': 'No workspaces yet',
  'workspaces.emptyHelp':
    'A workspace holds the publications of one team or site. Create one, then drop PDF files into it, or let a program publish to it with an API key.',
  'workspaces.publications_one': '{{figure}} publication',
  'workspaces.publications_other': '{{figure}} publications',
  'workspaces.processing': '{{figure}} rendering',
  'workspaces.since': 'Created on {{date}}',

  'workspace.nameHelp': 'Visible to operators only.',
  'workspace.create': 'Create workspace',
  'workspace.created': '{{name}} is ready',
  'workspace.createdHelp':
    'Upload files in the library, or give this key to a program that publishes. You can find it again under API key.',
  'workspace.toLibrary': 'Open library',
  'workspace.parts': 'Workspace pages',
  'workspace.library': 'Library',
  'workspace.key': 'API key',
  'workspace.webhooks': 'Webhooks',
  'workspace.settings': 'Settings',
  'workspace.maxMegabytes': 'Maximum storage in MB',
  'workspace.maxPublications': 'Maximum publications',
  'workspace.saveLimits': 'Save limits',
  'workspace.delete': 'Delete workspace',
  'workspace.deleteHelp':
    'This also deletes its publications, files, reading figures and keys. All its public pages disappear immediately. You cannot undo this.',
  'workspace.deleteCounts': '{{publications}} will be deleted permanently, with all public pages.',
  'workspace.deleted': 'Deleted {{name}}',

  'key.key': 'API key',
  'key.explanation':
    'Programs use this key to publish to this workspace and to change its publications. Keep it secret.',
  'key.since': 'Created {{time}}',
  'key.none': 'There is no key. Programs cannot publish to this workspace.',
  'key.show': 'Show key',
  'key.hide': 'Hide key',
  'key.make': 'Create key',
  'key.cannotShow': 'This key was created with a different server secret and cannot be displayed. It still works.',
  'key.rotate': 'Replace key',
  'key.rotateHelp':
    'A new key replaces the current one. Keep the old one valid for a while, so that programs can switch over.',
  'key.rotateSubmit': 'Create new key',
  'key.rotated': 'The new key is ready',
  'key.overlap': 'Old key expires',
  'key.ending': 'Expiring keys',
  'key.curlTicket': 'Try it: request an upload address',
  'key.curlUpload': 'Upload a file',
  'key.curlCreate': 'Publish it',
} as const
