import { defineError } from '#platform/errors.ts'

/** A 401 must name an authentication scheme (RFC 9110, 15.5.2). With one that browsers know, they would show their own prompt. */
export const CHALLENGE = { 'www-authenticate': 'Cookie realm="trackpress"' }

export const signedOut = defineError('UNAUTHORIZED', 401, 'You are not signed in, or your session has ended.')
export const wrongCredentials = defineError('UNAUTHORIZED', 401, 'The name or the password is wrong.')
export const crossSite = defineError('FORBIDDEN', 403, 'The request came from another site.')
export const wrongPassword = defineError('FORBIDDEN', 403, 'The current password is wrong.')
export const operatorNotFound = defineError('NOT_FOUND', 404, 'Operator not found.')
export const sessionNotFound = defineError('NOT_FOUND', 404, 'Session not found.')
export const operatorNameTaken = defineError('CONFLICT', 409, 'An operator with this name already exists.')
export const lastOperator = defineError('CONFLICT', 409, 'The last operator cannot be deleted.')
export const linkEnded = defineError(
  'GONE',
  410,
  'The sign-in link has been used, replaced or has expired. Ask for a new one.',
)
