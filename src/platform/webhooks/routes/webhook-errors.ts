import { defineError } from '../../errors.ts'

export const webhookNotFound = defineError('NOT_FOUND', 404, 'Webhook not found.')
export const ownerDeleted = defineError('NOT_FOUND', 404, 'The event or workspace is being deleted.')
export const deliveryNotFound = defineError('NOT_FOUND', 404, 'Delivery not found.')
export const webhooksQuotaReached = defineError('FORBIDDEN', 403, 'The limit of webhooks has been reached.')
export const webhookIsDisabled = defineError('CONFLICT', 409, 'The webhook is disabled. Enable it first.')
export const deliveryForgotten = defineError(
  'GONE',
  410,
  'The content of this delivery was removed with what it is about.',
)
