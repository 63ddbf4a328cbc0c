import { defineError } from '#platform/basics/errors.ts'

/**
 * A 401 must name an authentication scheme (RFC 9110, 15.5.2). With one that
 * browsers know, they would show their own prompt.
 */
export const CHALLENGE = { 'www-authenticate': 'Cookie realm="trackpress"' }

export const signedOut = defineError('UNAUTHORIZED', 401, 'You are not signed in, or your session has ended.')
export const wrongCredentials = defineError('UNAUTHORIZED', 401, 'The name or the password is wrong.')
export const wrongCode = defineError('UNAUTHORIZED', 401, 'The code is wrong, or has been used before.')
export const wrongPasskey = defineError(
  'UNAUTHORIZED',
  401,
  'The passkey is not known here, or its answer is not valid.',
)
export const providerRefused = defineError(
  'UNAUTHORIZED',
  401,
  'The answer of the identity provider is not valid, or the person did not sign in there.',
)
export const crossSite = defineError('FORBIDDEN', 403, 'The request came from another site.')
export const wrongPassword = defineError('FORBIDDEN', 403, 'The current password is wrong.')
export const wrongAppCode = defineError(
  'FORBIDDEN',
  403,
  'The code is wrong. Check that the clock of the device is right.',
)
export const passkeyRefused = defineError('FORBIDDEN', 403, 'The answer of the passkey is not valid.')
export const wrongConfirmationCode = defineError('FORBIDDEN', 403, 'The code is wrong, or has been used.')
export const noProviderRole = defineError('FORBIDDEN', 403, 'None of the groups of this person has a role here.')
export const providerConfirmationRefused = defineError(
  'FORBIDDEN',
  403,
  'The operator of this session did not sign in again at the identity provider.',
)
export const secondFactorNeeded = defineError(
  'FORBIDDEN',
  403,
  'The password alone is not enough. Confirm with a code, a recovery code or a passkey.',
)
export const operatorNotFound = defineError('NOT_FOUND', 404, 'Operator not found.')
export const sessionNotFound = defineError('NOT_FOUND', 404, 'Session not found.')
export const appNotFound = defineError('NOT_FOUND', 404, 'No authenticator app is set up.')
export const passkeyNotFound = defineError('NOT_FOUND', 404, 'Passkey not found.')
export const jobNotFound = defineError('NOT_FOUND', 404, 'No background job of this instance has this name.')
export const jobIsRunning = defineError('CONFLICT', 409, 'The background job is running.')
export const operatorNameTaken = defineError('CONFLICT', 409, 'An operator with this name already exists.')
export const lastOwner = defineError(
  'CONFLICT',
  409,
  'The last owner can neither be deleted nor get another role. Make another operator an owner first.',
)
export const appIsConfirmed = defineError('CONFLICT', 409, 'An authenticator app is set up. Remove it first.')
export const passkeyExists = defineError('CONFLICT', 409, 'The device has a passkey for this server already.')
export const tooManyPasskeys = defineError('CONFLICT', 409, 'You have 20 passkeys. Remove one first.')
export const passkeysUnavailable = defineError(
  'CONFLICT',
  409,
  'Passkeys need a BASE_URL with https and a host name, or localhost.',
)
export const lastLocalOwner = defineError(
  'CONFLICT',
  409,
  'This is the last owner who can sign in with a password or a passkey. Give another owner one first.',
)
export const noSecondFactor = defineError('CONFLICT', 409, 'Set up a second factor first.')
export const signsInAtProvider = defineError(
  'CONFLICT',
  409,
  'This account signs in through the identity provider only, and has no password, passkey or codes here.',
)
export const accountSuspended = defineError(
  'CONFLICT',
  409,
  'The identity provider has taken away the role of this account. A sign-in there with a role lifts the suspension.',
)
export const invalidLogoutToken = defineError('BAD_REQUEST', 400, 'The logout token is not valid, or was used before.')
export const noProvider = defineError('CONFLICT', 409, 'No identity provider is set up. OIDC_ISSUER names one.')
export const providerEnded = defineError(
  'GONE',
  410,
  'This sign-in through the identity provider has ended. Begin again.',
)
export const signInStepEnded = defineError('GONE', 410, 'This sign-in has ended. Begin again with the password.')
export const challengeUsed = defineError('GONE', 410, 'This request for a passkey has ended. Begin again.')
export const appSetUpEnded = defineError('GONE', 410, 'This set-up has ended. Begin again.')
export const linkEnded = defineError(
  'GONE',
  410,
  'The sign-in link has been used, replaced or has expired. Ask for a new one.',
)
export const providerUnavailable = defineError(
  'UNAVAILABLE',
  503,
  'The identity provider does not answer at the moment. Try again shortly, or sign in with a password or a passkey.',
)
export const auditUnavailable = defineError(
  'UNAVAILABLE',
  503,
  'The audit log cannot be written at the moment, so nothing was changed. Try again shortly.',
)
