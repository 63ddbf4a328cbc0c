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
