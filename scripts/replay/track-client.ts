import type { ActivityPoint } from '../activity-file/activity-file.ts'
import { askedWaitMs, backOffMs, isWorthAnotherTry } from './back-off.ts'
import { type Answer, type ApiRequest, ConnectionLostError, type Exchange } from './exchange.ts'
import type { FinishedTrack } from './finished-track.ts'
import type { Loss } from './planned-request.ts'
import type { PlayClock } from './play-clock.ts'
import { refusal } from './refusal.ts'
import { ReplayError } from './replay-error.ts'

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
