import type { Answer } from './answers.ts'
import { retryAfterMs } from './back-off.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string | Uint8Array<ArrayBuffer>
    signal?: AbortSignal
  },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>

/** The service puts this header on each of its answers. */
const SERVICE_HEADER = 'Trackpress-Api'

/** A request of the queue. */
export type QueueRequest = {
  method: 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string>
  /** JSON. */
  body?: string
}

type Options = { baseUrl: string; fetch: Fetch; timeoutMs: number; now: () => number; compress: boolean }

/** Bytes from which compression saves more than it costs: below, a request fits one packet anyway. */
const MIN_COMPRESSED = 1400

/**
 * Sends one request and reads its response. Never rejects: what fails on the way is no answer.
 * @param token app token
 * @param isStopped asked at the last moment
 * @returns undefined if nothing was sent, because the app has stopped the queue
 */
export async function exchange(
  { baseUrl, fetch, timeoutMs, now, compress }: Options,
  token: string,
  { method, path, headers, body }: QueueRequest,
  isStopped: () => boolean,
): Promise<Answer | undefined> {
  const aborting = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      resolve({ status: 0, timedOut: true })
      aborting.abort()
    }, timeoutMs)
  })
  const answered = async (): Promise<Answer | undefined> => {
    const zipped = compress && body !== undefined ? await gzip(body) : undefined
    if (isStopped()) return undefined
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'X-API-Key': token,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(zipped && { 'Content-Encoding': 'gzip' }),
        ...headers,
      },
      body: zipped ?? body,
      signal: aborting.signal,
    })
    const header = (name: string) => response.headers.get(name)
    return {
      status: response.status,
      isOfService: header(SERVICE_HEADER) !== null,
      retryAfterMs: retryAfterMs(header('Retry-After'), header('Date'), now()),
      json: parsed(await response.text()),
    }
  }
  try {
    return await Promise.race([answered().catch((): Answer => ({ status: 0, timedOut: false })), timeout])
  } finally {
    clearTimeout(timer)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Compresses text where the engine can, which React Native cannot. */
async function gzip(text: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (text.length < MIN_COMPRESSED || typeof CompressionStream === 'undefined') return undefined
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
