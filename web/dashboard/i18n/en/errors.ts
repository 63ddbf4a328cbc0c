/** Messages for failed requests. */
export const errors = {
  'error.unreachable': 'The server is not responding. Check your connection and try again.',
  'error.invalid': 'Some of your entries are not valid. Check them and try again.',
  'error.signedOut': 'Nothing was changed, because your session had ended. Sign in and try again.',
  'error.forbidden': 'This action is not allowed.',
  'error.role': 'Your role does not allow this. An owner can change it.',
  'error.unconfirmed': 'This was cancelled, because you did not confirm your identity.',
  'error.secondFactor': 'Set up a second step before you do this.',
  'error.notFound': 'What you are looking for does not exist, or has been deleted.',
  'error.conflict': 'This has changed in the meantime. Reload the page and try again.',
  'error.gone': 'This is no longer available.',
  'error.tooLarge': 'The request is too large.',
  'error.refused': 'This action is not possible.',
  'error.tooMany': 'Too many attempts. Wait a moment and try again.',
  'error.tooManyWait_one': 'Too many attempts. Try again in {{count}} second.',
  'error.tooManyWait_other': 'Too many attempts. Try again in {{count}} seconds.',
  'error.damaged':
    'Some stored points of this track are damaged and cannot be read. Other tracks are not affected. The person who runs the server can repair them from a backup with admin storage repair.',
  'error.unavailable': 'The server is not ready yet. Try again in a moment.',
  'error.server': 'Server error. Try again.',
  'error.serverWithId': 'Server error. Try again. The server log has details under {{requestId}}.',
  'error.unexpected': 'Something went wrong on this page. Reload it.',
} as const
