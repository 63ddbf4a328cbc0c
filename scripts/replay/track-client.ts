import type { ActivityPoint } from '../activity-file/activity-file.ts'
import type { Loss } from './batches.ts'
import { type Answer, type ApiRequest, ConnectionLostError, type Exchange } from './exchange.ts'
import type { PlayClock } from './play-track.ts'
import type { FinishedTrack } from './report.ts'

/** Reason for a retry. */
export type ResendReason = Loss | 'no connection' | `answer ${number}`

/** Sends requests to the track service until they succeed. Each request may have planned faults. */
export type TrackClient = {
  /** Returns the id of the new track. */
  create(fields: { device_track_id: string; [field: string]: unknown }, losses: readonly Loss[]): Promise<string>
  addPoints(id: string, points: readonly ActivityPoint[], losses: readonly Loss[]): Promise<void>
  finish(id: string, losses: readonly Loss[]): Promise<FinishedTrack>
}

export type ClientParts = {
  url: string
  exchange: Exchange
  clock: PlayClock
  /** Called after each failed attempt, before the wait for the next. */
  onResend: (reason: ResendReason) => void
}

/** A phone would retry for days, but a person at a terminal waits for the result. */
const GIVE_UP_AFTER_MS = 60_000
/** First wait after a planned fault, in playing time. */
const PLANNED_WAIT_MS = 2000

/** Codes for an address where nothing listens or a name that does not exist. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND']

/** Creates a client. Its functions throw ReplayError if the server refuses, or does not respond for a minute. */
export function trackClient(parts: ClientParts): TrackClient {
  const send = (request: ApiRequest, losses: readonly Loss[]) => untilAnswered(parts, request, losses, [])
  return {
    async create(fields, losses) {
      const request: ApiRequest = { method: 'POST', path: '/tracks', json: fields }
      const reachable = { ...parts, exchange: requireReachable(parts) }
      const answer = await untilAnswered(reachable, request, losses, [409])
      const { id, track_id } = (answer.json ?? {}) as { id?: string; track_id?: string }
      // The first response was lost. 409 carries the id of the track.
      const found = answer.status === 409 ? track_id : id
      if (found === undefined) throw new ReplayError(`${refusal(request, answer)}\nThis is not a track service.`)
      return found
    },
    async addPoints(id, points, losses) {
      await send({ method: 'POST', path: `/tracks/${id}/points`, json: { points } }, losses)
    },
    async finish(id, losses) {
      return (await send({ method: 'POST', path: `/tracks/${id}/finish` }, losses)).json as FinishedTrack
    },
  }
}

/** Reports a server that is absent from the start as a mistake, not as a lost connection. */
function requireReachable({ url, exchange }: ClientParts): Exchange {
  return async (request, loss) => {
    try {
      return await exchange(request, loss)
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || !UNREACHABLE.includes(error.code)) throw error
      throw new ReplayError(
        `Nothing answers at ${url} (${error.code}). Start it with npm start, or pass --url <address>.`,
      )
    }
  }
}

/** Repeats a request until it gets a final response. */
async function untilAnswered(
  { exchange, clock, onResend }: ClientParts,
  request: ApiRequest,
  losses: readonly Loss[],
  accepted: readonly number[],
): Promise<Answer> {
  let waitedMs = 0
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(exchange, request, losses[attempts - 1])
    if (!(outcome instanceof ConnectionLostError) && !isWorthAnotherTry(outcome.status)) {
      if ((outcome.status >= 200 && outcome.status < 300) || accepted.includes(outcome.status)) return outcome
      throw new ReplayError(refusal(request, outcome))
    }
    onResend(reasonOf(outcome))
    if (outcome instanceof ConnectionLostError && outcome.planned !== undefined) {
      await clock.pass(backOffMs(attempts, PLANNED_WAIT_MS))
      continue
    }
    const waitMs = waitAfter(outcome, attempts - losses.length)
    waitedMs += waitMs
    if (waitedMs > GIVE_UP_AFTER_MS) throw new ReplayError(givenUp(request, outcome))
    await clock.wait(waitMs)
  }
}

async function attempt(exchange: Exchange, request: ApiRequest, loss: Loss | undefined) {
  try {
    return await exchange(request, loss)
  } catch (error) {
    if (error instanceof ConnectionLostError) return error
    throw error
  }
}

function reasonOf(outcome: Answer | ConnectionLostError): ResendReason {
  if (!(outcome instanceof ConnectionLostError)) return `answer ${outcome.status}`
  return outcome.planned ?? 'no connection'
}

function waitAfter(outcome: Answer | ConnectionLostError, attempts: number): number {
  const askedMs =
    outcome instanceof ConnectionLostError ? undefined : askedWaitMs(outcome.headers['retry-after'], Date.now())
  return askedMs ?? backOffMs(Math.max(1, attempts))
}

function givenUp(request: ApiRequest, outcome: Answer | ConnectionLostError): string {
  const last = outcome instanceof ConnectionLostError ? outcome.message : refusal(request, outcome)
  return `The server has not taken ${request.method} ${request.path} for ${GIVE_UP_AFTER_MS / 1000} s. Last: ${last}`
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000
/** Longest wait that a server may request. */
const LONGEST_ASKED_WAIT_MS = 60_000

/** Statuses worth a retry: from the service (429, 503), or from a proxy that cannot reach it (502, 504). */
export function isWorthAnotherTry(status: number): boolean {
  return [429, 502, 503, 504].includes(status)
}

/** Returns the wait before the next attempt. It doubles with each failure, up to a limit. */
export function backOffMs(attempts: number, firstMs = FIRST_WAIT_MS): number {
  return Math.min(firstMs * 2 ** (attempts - 1), LONGEST_WAIT_MS)
}

/** Parses `Retry-After` (RFC 9110, 10.2.3: seconds, or a date). Returns undefined without a wait. */
export function askedWaitMs(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined
  const waitMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_ASKED_WAIT_MS)
}

type Problem = { code?: string; detail?: string; title?: string; errors?: { path: string; message: string }[] }

const HINTS: Record<number, string> = {
  401: 'Is it the token of an event of this server? npm run --silent admin -- events list',
  404: 'Is this the address of a track service, and is the track still there?',
}

/** Explains a refusal by the server to the person at the keyboard. */
function refusal({ method, path }: ApiRequest, { status, json }: Answer): string {
  const { code = '', detail, title, errors = [] } = (json ?? {}) as Problem
  const reason = detail ?? title
  return [
    `The server refuses ${method} ${path}: ${`${status} ${code}`.trim()}${reason === undefined ? '' : `, ${reason}`}`,
    ...errors.map(({ path: place, message }) => `  ${place}: ${message}`),
    ...(status in HINTS ? [HINTS[status]] : []),
  ].join('\n')
}

/** A reason why a replay cannot start or continue. Only its message is shown. */
export class ReplayError extends Error {
  override name = 'ReplayError'
}
