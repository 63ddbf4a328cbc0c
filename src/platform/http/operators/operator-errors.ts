import { defineError } from '../../errors.ts'

export const insufficientRole = defineError(
  'INSUFFICIENT_ROLE',
  403,
  'This needs another role of the operator. `needed_role` names it.',
)
export const confirmationRequired = defineError(
  'CONFIRMATION_REQUIRED',
  403,
  'Confirm that it is you, with `POST /operator/session/confirmation`, and send the request again.',
)
export const secondFactorRequired = defineError(
  'SECOND_FACTOR_REQUIRED',
  403,
  'This server requires a second factor. Set up an authenticator app or a passkey first.',
)
