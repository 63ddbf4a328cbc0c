import { createHmac, randomBytes } from 'node:crypto'
import { AppError, unavailable } from '../basics/errors.ts'
import type { Logger } from '../basics/logger.ts'
import type { Keys } from '../basics/secrets.ts'
import { formatDateTime } from '../basics/time.ts'
import { openToken } from '../credentials/token.ts'
import { failSpan, inSpan, traceHeaders } from '../tracing/spans.ts'
import type { DeliveriesStore, Settlement } from './deliveries-store.ts'
import type { EndpointsStore } from './endpoints-store.ts'
import { noAnswerText } from './no-answer.ts'
import type { SendRequest, WebhookAnswer, WebhookRequest } from './send-request.ts'
import type { WebhookDeliveryRow, WebhookEndpointRow } from './tables.ts'

/** Status with which a receiver says that it wants no more messages. */
const GONE = 410

/** Time for which it does not count as an attempt that the data of a message cannot be made just now. */
const PASSES_WITHIN_MS = 10 * 60_000

/** A message whose data has yet to be made. */
export type MessageDraft = { type: string; subjectId: string; draft: unknown }

/** The result of an attempt. */
export type Attempted = {
  result: 'delivered' | 'retried' | 'failed'
  /** Time until the receiver's answer, Infinity if there was none; undefined if nothing could be sent. */
  answeredAfterMs: number | undefined
}

export type DeliverDeps = {
  endpoints: EndpointsStore
  deliveries: DeliveriesStore
  sendRequest: SendRequest
  /** Makes the data of a message from its draft. Rejects if that cannot be done now. */
  completeDraft: (draft: MessageDraft) => Promise<object>
  sealingKeys: Keys
  logger: Logger
  now: () => number
}

/** A request that is ready to be sent, or the reason why there is none. A final one ends the delivery. */
type Prepared = { request: WebhookRequest } | { error: string; isFinal: boolean }

/**
 * Attempts a delivery that this instance has leased, and records the outcome. Rejects if that could not be recorded.
 * @returns undefined if it was not attempted, because the endpoint is disabled or deleted, or the server stops
 */
export async function deliver(
  deps: DeliverDeps,
  delivery: WebhookDeliveryRow,
  signal: AbortSignal,
): Promise<Attempted | undefined> {
  const { endpoints, deliveries, sendRequest, now } = deps
  const endpoint = await endpoints.findAny(delivery.endpoint_id)
  if (endpoint === undefined) {
    await deliveries.removeOf(delivery.endpoint_id)
    return undefined
  }
  if (endpoint.is_enabled === 0) {
    await deliveries.release(delivery, now())
    return undefined
  }
  const prepared = await prepare(deps, endpoint, delivery)
  const startMs = now()
  const started = performance.now()
  const isSent = 'request' in prepared
  const answer: WebhookAnswer = isSent
    ? await sendTraced(prepared.request, delivery, sendRequest, signal)
    : { status: null, body: null, error: prepared.error }
  if (signal.aborted && answer.status === null) {
    await deliveries.release(delivery, now())
    return undefined
  }
  const isFinal = answer.status === GONE || (!isSent && prepared.isFinal)
  const settlement = settlementOf(withoutDeleted(answer, delivery), isFinal, delivery.attempts + 1, now())
  const durationMs = performance.now() - started
  const duration_ms = isSent ? Math.round(durationMs) : null
  await deliveries.settle(delivery, { ...settlement, last_attempt_at: startMs, duration_ms })
  if (answer.status === GONE) await endpoints.disableGone(endpoint.id, now())
  const answeredAfterMs = answer.status === null ? Number.POSITIVE_INFINITY : durationMs
  return {
    result: settlement.status === 'pending' ? 'retried' : settlement.status,
    answeredAfterMs: isSent ? answeredAfterMs : undefined,
  }
}

async function prepare(
  deps: DeliverDeps,
  endpoint: WebhookEndpointRow,
  delivery: WebhookDeliveryRow,
): Promise<Prepared> {
  const { id, type, created_at } = delivery
  const nowMs = deps.now()
  const secrets = signingSecrets(endpoint, deps.sealingKeys, nowMs)
  if (secrets === undefined) return { error: noAnswerText('secretUnreadable'), isFinal: false }
  let payload: string | null
  try {
    payload = await payloadOf(deps, delivery)
  } catch (err) {
    if (isPassing(err) && nowMs - created_at < PASSES_WITHIN_MS) throw err
    deps.logger.warn({ err, deliveryId: id, endpointId: endpoint.id }, 'the data of a webhook could not be made')
    return { error: noAnswerText('notMade'), isFinal: false }
  }
  if (payload === null) return { error: noAnswerText('removed'), isFinal: true }
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${formatDateTime(created_at)}","data":${payload}}`
  const timestampSec = Math.floor(nowMs / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Trackpress',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSec),
    'webhook-signature': signatureHeader({ id, timestampSec, body }, secrets),
  }
  return { request: { url: endpoint.url, headers, body } }
}

/** Tells whether a failure means that something is too busy, or cannot be reached. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.status === unavailable.status
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
  { secret, former_secret, former_until }: WebhookEndpointRow,
  keys: Keys,
  nowMs: number,
): string[] | undefined {
  const current = openToken(secret, keys)
  if (current === undefined) return undefined
  const isKept = former_secret !== null && (former_until ?? 0) > nowMs
  const former = isKept ? openToken(former_secret, keys) : undefined
  return former === undefined ? [current] : [current, former]
}

/** Leaves out the text of an answer to the message about a deletion: it may repeat deleted data. */
function withoutDeleted(answer: WebhookAnswer, { type }: WebhookDeliveryRow): WebhookAnswer {
  return answer.status !== null && type.endsWith('.deleted') ? { ...answer, body: '' } : answer
}

function settlementOf(
  { status, body, error }: WebhookAnswer,
  isFinal: boolean,
  attempts: number,
  nowMs: number,
): Omit<Settlement, 'last_attempt_at' | 'duration_ms'> {
  const facts = { response_status: status, response_body: body, error }
  if (status !== null && status >= 200 && status < 300) return { ...facts, status: 'delivered', nextAtMs: null }
  const pauseMs = isFinal ? undefined : pauseBeforeRetry(attempts)
  if (pauseMs === undefined) return { ...facts, status: 'failed', nextAtMs: null }
  return { ...facts, status: 'pending', nextAtMs: nowMs + pauseMs }
}

const SEC = 1000
const MIN = 60 * SEC
const HOUR = 60 * MIN

/**
 * Pauses after the first, second, … failed attempt. They add up to almost two days, which is longer than most outages.
 */
const PAUSES_MS = [5 * SEC, MIN, 5 * MIN, 30 * MIN, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]

/** Returns the pause before the next attempt, in milliseconds; undefined if `failedAttempts` were enough. */
function pauseBeforeRetry(failedAttempts: number): number | undefined {
  return PAUSES_MS[failedAttempts - 1]
}

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The parts of a message that are signed. */
type SignedMessage = { id: string; timestampSec: number; body: string }

/**
 * Returns the header `webhook-signature`: an HMAC-SHA-256 of `<id>.<timestamp>.<body>` for each secret, separated by
 * spaces (https://www.standardwebhooks.com). A receiver accepts any of them, so that a secret can be exchanged.
 */
function signatureHeader({ id, timestampSec, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestampSec}.${body}`).digest('base64')}`
    })
    .join(' ')
}
