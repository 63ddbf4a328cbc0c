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
export const mapFileNotFound = defineError('NOT_FOUND', 404, 'Map file not found.')
export const mapFileInUse = defineError('CONFLICT', 409, 'The map uses this file. Choose another map first.')
export const mapFileTooLarge = defineError('PAYLOAD_TOO_LARGE', 413, 'The file is larger than this server accepts.')
export const mapFileIsEmpty = defineError('BAD_REQUEST', 400, 'The body is empty; it must be the file itself.')
export const mapFileBrokenOff = defineError('BAD_REQUEST', 400, 'The body ended before the file was complete.')
export const mapFileRefused = defineError('UNPROCESSABLE', 422, 'The file cannot be used as a map.')
export const tooManyMapFiles = defineError('CONFLICT', 409, 'There are too many map files. Delete one first.')
