import type { Keys } from '../../security/secret.ts'
import { formatDateTime } from '../../time/date-time.ts'
import { openToken } from '../../tokens/token.ts'
import { failSpan, inSpan, traceHeaders } from '../../tracing/spans.ts'
import type { DeliveriesStore, Settlement } from '../storage/deliveries-store.ts'
import type { EndpointsStore } from '../storage/endpoints-store.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../storage/webhook-tables.ts'
import { pauseBeforeRetry } from './retry-schedule.ts'
import type { SendRequest, WebhookAnswer, WebhookRequest } from './send-request.ts'
import { signatureHeader } from './signature.ts'

/** Status with which a receiver says that it wants no more messages. */
const GONE = 410

/** A message whose data has yet to be made. */
export type MessageDraft = { type: string; subjectId: string; draft: unknown }

/** The result of a delivery; undefined if it was not attempted. */
type Result = 'delivered' | 'retried' | 'failed' | undefined

export type DeliverDeps = {
  endpoints: Pick<EndpointsStore, 'findAny' | 'disableGone'>
  deliveries: Pick<DeliveriesStore, 'completeDraft' | 'settle' | 'release' | 'removeOf'>
  sendRequest: SendRequest
  /** Makes the data of a message from its draft. Rejects if that cannot be done now. */
  completeDraft: (draft: MessageDraft) => Promise<object>
  sealingKeys: Keys
  now: () => number
}

/**
 * Attempts a delivery that this instance has leased, and records the outcome. Rejects if that could not be recorded.
 */
export async function deliver(deps: DeliverDeps, delivery: WebhookDeliveryRow, signal: AbortSignal): Promise<Result> {
  const { endpoints, deliveries, sendRequest, now } = deps
  const endpoint = await endpoints.findAny(delivery.endpoint_id)
  if (endpoint === undefined) {
    await deliveries.removeOf(delivery.endpoint_id)
    return undefined
  }
  const payload = endpoint.is_enabled === 1 ? await payloadOf(deps, delivery) : null
  if (payload === null) {
    await deliveries.release(delivery, now())
    return undefined
  }
  const body = `{"type":${JSON.stringify(delivery.type)},"timestamp":"${formatDateTime(delivery.created_at)}","data":${payload}}`
  const startMs = now()
  const started = performance.now()
  const answer = await sendSigned(deps, endpoint, delivery.id, body, signal)
  if (signal.aborted && answer.status === null) {
    await deliveries.release(delivery, now())
    return undefined
  }
  const settlement = settlementOf(answer, delivery.attempts + 1, now())
  const duration_ms = Math.round(performance.now() - started)
  await deliveries.settle(delivery, { ...settlement, last_attempt_at: startMs, duration_ms })
  if (answer.status === GONE) await endpoints.disableGone(endpoint.id, now())
  return settlement.status === 'pending' ? 'retried' : settlement.status

  async function sendSigned(
    { sealingKeys }: DeliverDeps,
    { url, ...row }: WebhookEndpointRow,
    id: string,
    body: string,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const secrets = signingSecrets(row, sealingKeys, startMs)
    if (secrets === undefined)
      return {
        status: null,
        body: null,
        error:
          'The signing secret cannot be read, because SECRET_KEY has changed and the former secret is not among SECRET_KEY_FALLBACKS.',
      }
    const timestampSec = Math.floor(startMs / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Trackpress',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSec),
      'webhook-signature': signatureHeader({ id, timestampSec, body }, secrets),
    }
    return await sendTraced({ url, headers, body }, delivery, sendRequest, signal)
  }
}

/** Sends in a span that the receiver can continue, and that has neither the URL nor the body: both may have secrets. */
async function sendTraced(
  request: WebhookRequest,
  { type, attempts }: WebhookDeliveryRow,
  sendRequest: SendRequest,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const attributes = {
    'http.request.method': 'POST',
    'trackpress.webhook.type': type,
    'http.request.resend_count': attempts,
  }
  return await inSpan('POST webhook', { kind: 'client', attributes }, async (span) => {
    const headers = { ...request.headers, ...traceHeaders(span) }
    const answer = await sendRequest({ ...request, headers }, signal)
    if (answer.status !== null) span?.setAttribute('http.response.status_code', answer.status)
    if (span !== undefined && (answer.status === null || answer.status >= 400))
      failSpan(span, { code: String(answer.status ?? 'no_answer') })
    return answer
  })
}

/** Returns the JSON of a message's data; null if it was removed. Made once, so that all attempts have the same body. */
async function payloadOf(
  { deliveries, completeDraft }: DeliverDeps,
  delivery: WebhookDeliveryRow,
): Promise<string | null> {
  const { type, subject_id, payload, is_draft } = delivery
  if (is_draft === 0 || payload === null) return payload
  const data = await completeDraft({ type, subjectId: subject_id!, draft: JSON.parse(payload) })
  return await deliveries.completeDraft(delivery, JSON.stringify(data))
}

/** Returns the current secret, and the former while it is kept; undefined if the current one cannot be read. */
function signingSecrets(
  { secret, former_secret, former_until }: Pick<WebhookEndpointRow, 'secret' | 'former_secret' | 'former_until'>,
  keys: Keys,
  nowMs: number,
): string[] | undefined {
  const current = openToken(secret, keys)
  if (current === undefined) return undefined
  const isKept = former_secret !== null && (former_until ?? 0) > nowMs
  const former = isKept ? openToken(former_secret, keys) : undefined
  return former === undefined ? [current] : [current, former]
}

function settlementOf(
  { status, body, error }: WebhookAnswer,
  attempts: number,
  nowMs: number,
): Omit<Settlement, 'last_attempt_at' | 'duration_ms'> {
  const facts = { response_status: status, response_body: body, error }
  if (status !== null && status >= 200 && status < 300) return { ...facts, status: 'delivered', nextAtMs: null }
  const pauseMs = status === GONE ? undefined : pauseBeforeRetry(attempts)
  if (pauseMs === undefined) return { ...facts, status: 'failed', nextAtMs: null }
  return { ...facts, status: 'pending', nextAtMs: nowMs + pauseMs }
}
