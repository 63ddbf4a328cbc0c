/** The cause of a failed request, in terms of the reader's next step. */
type FailureReason = 'offline' | 'unreachable' | 'busy' | 'limited' | 'gone' | 'failed'

/** Seconds after which a busy server may be asked again that does not name a time. */
const RETRY_AFTER_SEC = 5

/** A request that failed, with the reason and, if the server is busy, the seconds until it may be asked again. */
export class RequestFailure extends Error {
  readonly reason: FailureReason
  readonly retryAfterSec: number | undefined

  constructor(reason: FailureReason, retryAfterSec?: number) {
    super(`The request failed: ${reason}`)
    this.reason = reason
    this.retryAfterSec = retryAfterSec
  }
}

let send: (address: string, init: RequestInit) => Promise<Response> = fetch

/** Answers all requests by a function, where there is no server to ask. */
export function answerRequestsBy(answer: (address: string) => Promise<Response>): void {
  send = answer
}

let handleGone = () => {}

/** Calls a function whenever a request is answered that its object is gone, or needs another permission. */
export function onGone(handle: () => void): void {
  handleGone = handle
}

/**
 * Sends a request.
 * @throws RequestFailure if there is no answer or not the expected one, and the reason of the signal if it aborts
 */
export async function request(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(address, init).catch((error) => {
    if (init.signal?.aborted) throw error
    throw new RequestFailure(navigator.onLine ? 'unreachable' : 'offline')
  })
  if (response.ok) return response
  const reason = reasonOf(response.status)
  if (reason === 'gone') handleGone()
  throw new RequestFailure(reason, retryAfterOf(response))
}

/** Returns the failure behind a thrown value; anything unexpected is a plain failure. */
export function asFailure(thrown: unknown): RequestFailure {
  return thrown instanceof RequestFailure ? thrown : new RequestFailure('failed')
}

function reasonOf(status: number): FailureReason {
  if (status === 429) return 'limited'
  if (status === 401 || status === 404 || status === 410) return 'gone'
  return status === 502 || status === 503 || status === 504 ? 'busy' : 'failed'
}

/** Reads `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status < 500) return undefined
  const value = headers.get('retry-after')
  if (value === null) return RETRY_AFTER_SEC
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? Math.max(seconds, 1) : RETRY_AFTER_SEC
}
