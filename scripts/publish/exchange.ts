import { setTimeout as wait } from 'node:timers/promises'
import { RefusedError, UnreachableError } from './publish-error.ts'

export type JsonRequest = {
  method?: 'GET' | 'POST'
  path: string
  json?: unknown
  headers?: Record<string, string>
  /** What is asked for, for the message of a refusal: `the upload`. */
  what: string
}

/** Sends a request until there is an answer that is final, and gives its JSON. */
export type Exchange = <Body>(request: JsonRequest) => Promise<Body>

/** A server that says nothing for this long is taken for gone. */
const PATIENCE_MS = 60_000
/** Answers that say "not now": over the allowance, or a part of the service is away for the moment. */
const NOT_NOW = [429, 502, 503, 504]
const MOST_ATTEMPTS = 6
const USUAL_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/**
 * Requests of a server, with an API key where it is asked for.
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
      if (!NOT_NOW.includes(response.status) || attempt === MOST_ATTEMPTS) throw refusalOf(what, response.status, body)
      await wait(waitMs(response.headers.get('retry-after')), undefined, { signal })
    }
  }
}

/** What a refusal says, from an answer's status and its JSON, if that is what it has. */
export function refusalOf(what: string, status: number, body: unknown): RefusedError {
  const { code = '', detail, title = '' } = (body ?? {}) as { code?: string; detail?: string; title?: string }
  const isOurs = code !== ''
  return new RefusedError(what, { status, code, reason: isOurs ? (detail ?? title) : 'this is no publication service' })
}

/** The JSON of a text; undefined where it is something else. */
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

/** Tells a server that is not there from a connection that broke. */
function lost(server: string): (error: Error & { cause?: { code?: string } }) => never {
  return (error) => {
    if (error.name === 'AbortError') throw error
    throw unreachable(server, error.name === 'TimeoutError' ? 'no answer' : (error.cause?.code ?? error.message))
  }
}

/** Nobody listens there, or there is no such name: a mistake to tell of in other words than a lost connection. */
export function unreachable(server: string, reason: string): UnreachableError {
  const isAbsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(reason)
  const hint = isAbsent ? ' Start it with npm start, or say --server <address>.' : ''
  return new UnreachableError(
    `${isAbsent ? 'Nothing answers at' : 'Lost the connection to'} ${server} (${reason}).${hint}`,
  )
}

function waitMs(retryAfter: string | null): number {
  const asked = retryAfter === null || !/^\d+$/.test(retryAfter) ? USUAL_WAIT_MS : Number(retryAfter) * 1000
  return Math.min(asked, LONGEST_WAIT_MS)
}
