import Type from 'typebox'
import type { WebhookScope } from './webhook-scope.ts'

type Scope = Pick<WebhookScope, 'ownerParams'>

/** The parameters of an address of one webhook. */
export function webhookParams({ ownerParams }: Scope) {
  return Type.Unsafe<{ webhookId: string }>(Type.Object({ ...ownerParams, webhookId }))
}

/** The parameters of an address of one delivery. */
export function deliveryParams({ ownerParams }: Scope) {
  return Type.Unsafe<{ webhookId: string; deliveryId: string }>(Type.Object({ ...ownerParams, webhookId, deliveryId }))
}

const webhookId = Type.String({ description: "The webhook's `id`." })
const deliveryId = Type.String({ description: "The delivery's `id`." })
