import { defineError } from '#platform/errors.ts'

/** A 401 has to name a way to authenticate (RFC 9110, 15.5.2); one that browsers know would make them ask by themselves. */
export const CHALLENGE = { 'www-authenticate': 'Cookie realm="trackpress"' }

export const signedOut = defineError('UNAUTHORIZED', 401, 'Nobody is signed in, or the session has ended.')
export const wrongCredentials = defineError('UNAUTHORIZED', 401, 'The name or the password is not right.')
export const crossSite = defineError('FORBIDDEN', 403, 'The request was made by another site.')
export const wrongPassword = defineError('FORBIDDEN', 403, 'The current password is not right.')
export const operatorNotFound = defineError('NOT_FOUND', 404, 'Operator not found.')
export const sessionNotFound = defineError('NOT_FOUND', 404, 'Session not found.')
export const operatorNameTaken = defineError('CONFLICT', 409, 'There is an operator of this name already.')
export const lastOperator = defineError('CONFLICT', 409, 'The last operator cannot be deleted.')
export const linkEnded = defineError(
  'GONE',
  410,
  'The sign-in link has been used, has expired or was replaced; ask for a new one.',
)
