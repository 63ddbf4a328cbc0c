import { setTimeout as wait } from 'node:timers/promises'

export type JsonRequest = {
  method?: 'GET' | 'POST'
  path: string
  json?: unknown
  headers?: Record<string, string>
  /** The subject of the request in an error message: `the upload`. */
  what: string
}

/** Sends a request until it gets a final response, and returns its JSON. */
export type Exchange = <Body>(request: JsonRequest) => Promise<Body>

/** A server that is silent for this long counts as unreachable. */
const PATIENCE_MS = 60_000
/** Statuses worth a retry: over the rate limit, or temporarily unavailable. */
const NOT_NOW = [429, 502, 503, 504]
const MAX_ATTEMPTS = 6
const DEFAULT_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/**
 * Sends requests to a server, with an API key where needed.
 * @throws RefusedError, UnreachableError
 */
export function openExchange(server: string, apiKey: string | undefined, signal?: AbortSignal): Exchange {
  return async <Body>({ method = 'GET', path, json, headers, what }: JsonRequest) => {
    for (let attempt = 1; ; attempt++) {
      const response = await send(server + path, {
        method,
        headers: {
          ...(apiKey === undefined ? {} : { 'X-Api-Key': apiKey }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
        signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal === undefined ? [] : [signal])]),
      })
      const body = parseJson(await response.text().catch(lost(server)))
      if (response.ok && body !== undefined) return body as Body
      if (!NOT_NOW.includes(response.status) || attempt === MAX_ATTEMPTS) throw refusalOf(what, response.status, body)
      await wait(waitMs(response.headers.get('retry-after')), undefined, { signal })
    }
  }
}

/** Creates the error for a refusal from the response's status and JSON, if it has any. */
export function refusalOf(what: string, status: number, body: unknown): RefusedError {
  const { code = '', detail, title = '' } = (body ?? {}) as { code?: string; detail?: string; title?: string }
  const isOurs = code !== ''
  return new RefusedError(what, {
    status,
    code,
    reason: isOurs ? (detail ?? title) : 'this is not a publication service',
  })
}

/** Parses JSON. Returns undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  return await fetch(url, init).catch(lost(new URL(url).origin))
}

/** Distinguishes an absent server from a broken connection. */
function lost(server: string): (error: Error & { cause?: { code?: string } }) => never {
  return (error) => {
    if (error.name === 'AbortError') throw error
    throw unreachable(server, error.name === 'TimeoutError' ? 'no answer' : (error.cause?.code ?? error.message))
  }
}

/**
 * Codes for an address where nothing listens or a name that does not exist. They get another message than a lost
 * connection.
 */
export function unreachable(server: string, reason: string): UnreachableError {
  const isAbsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(reason)
  const hint = isAbsent ? ' Start it with npm start, or say --server <address>.' : ''
  return new UnreachableError(
    `${isAbsent ? 'Nothing answers at' : 'Lost the connection to'} ${server} (${reason}).${hint}`,
  )
}

function waitMs(retryAfter: string | null): number {
  const asked = retryAfter === null || !/^\d+$/.test(retryAfter) ? DEFAULT_WAIT_MS : Number(retryAfter) * 1000
  return Math.min(asked, LONGEST_WAIT_MS)
}

/** A reason why a file cannot be published. Only its message is shown. */
export class PublishError extends Error {
  override name = 'PublishError'
}

/** The server refused a request. */
export class RefusedError extends PublishError {
  override name = 'RefusedError'
  readonly status: number
  readonly code: string
  /** The server's explanation. */
  readonly reason: string

  constructor(what: string, { status, code, reason }: { status: number; code: string; reason: string }) {
    super(`The server refuses ${what}: ${`${status} ${code}`.trim()}${reason === '' ? '' : `, ${reason}`}`)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** The server did not answer, or the connection broke. */
class UnreachableError extends PublishError {
  override name = 'UnreachableError'
}
