import { formatDateTime } from '../../time/date-time.ts'
import type { LoggedDelivery } from '../storage/deliveries-store.ts'
import type { WebhookEndpointRow } from '../storage/webhook-tables.ts'
import type { Webhook, WebhookDelivery } from './webhook-schemas.ts'

/** Represents an endpoint, without its secret. */
export function webhookJson(row: WebhookEndpointRow, nowMs: number): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: row.types === null ? null : JSON.parse(row.types),
    enabled: row.is_enabled === 1,
    disabled_at: momentOrNull(row.disabled_at),
    disabled_reason: row.disabled_reason,
    former_secret_ends_at: (row.former_until ?? 0) > nowMs ? momentOrNull(row.former_until) : null,
    created_at: formatDateTime(row.created_at),
    updated_at: formatDateTime(row.updated_at),
  }
}

/** Represents a delivery in the log. */
export function deliveryJson(row: LoggedDelivery): WebhookDelivery {
  return {
    id: row.id,
    type: row.type,
    timestamp: formatDateTime(row.created_at),
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.lease_owner === null ? momentOrNull(row.due_at) : null,
    last_attempt_at: momentOrNull(row.last_attempt_at),
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    response_body: row.response_body,
    error: row.error,
  }
}

function momentOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : formatDateTime(timeMs)
}
