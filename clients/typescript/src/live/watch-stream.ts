import { createKnownTracks } from './known-tracks.ts'
import type { LiveEvent } from './live-events.ts'
import { serverSentEvents } from './server-sent-events.ts'
import { ShareEndedError } from './share-ended.ts'

type LiveResponse = {
  status: number
  headers: { get(name: string): string | null }
  body: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } } | null
}

/** Settings of the reader. */
export type WatchStreamOptions = {
  /** Address of the server, such as `https://tracks.example.org`. */
  baseUrl: string
  /** Token of the share, the last part of its link. */
  shareToken: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** A `fetch` whose bodies are streams. React Native needs that of `expo/fetch`. */
  fetch?: (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<LiveResponse>
}

/** As the server asks browsers to wait. */
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
/** The server sends something every 15 seconds. */
const LONGEST_SILENCE_MS = 45_000

/**
 * Reads the live stream of a share, which has every point of every track, and reconnects with what has been received:
 * `for await (const event of watchStream({ baseUrl, shareToken })) …`. Ends after `ended`, or when `signal` is aborted.
 * Where the server sends everything again, as with a delay, `track-deleted` names what is gone.
 * @throws ShareEndedError
 */
export async function* watchStream(options: WatchStreamOptions): AsyncGenerator<LiveEvent, void> {
  const { signal } = options
  const known = createKnownTracks()
  let lastEventId: string | undefined
  let failures = 0
  while (!signal?.aborted) {
    let askedMs = 0
    const connection = connect(options.signal)
    known.beginSnapshot()
    try {
      const response = await request(options, lastEventId, connection.signal)
      if (response.status === 404 || response.status === 410) throw new ShareEndedError(response.status)
      askedMs = Number(response.headers.get('Retry-After') ?? 0) * 1000 || 0
      for await (const { event, data, id } of eventsOf(response, connection)) {
        failures = 0
        lastEventId = id ?? lastEventId
        const live = { name: event, data: JSON.parse(data) } as LiveEvent
        yield* known.goneBefore(live)
        yield live
        if (event === 'ended') return
      }
    } catch (error) {
      if (error instanceof ShareEndedError) throw error
    } finally {
      connection.close()
    }
    if (signal?.aborted) return
    const retryMs = Math.max(
      askedMs,
      Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (1 - Math.random() / 2),
    )
    failures++
    yield { name: 'disconnected', data: { retryMs } }
    await pause(retryMs, signal)
  }
}

async function request(
  { baseUrl, shareToken, fetch: given }: WatchStreamOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<LiveResponse> {
  // In the address, because a page of another site may not send the header without a preflight.
  const since = lastEventId === undefined ? '' : `?last_event_id=${encodeURIComponent(lastEventId)}`
  const url = `${baseUrl.replace(/\/+$/, '')}/shares/${encodeURIComponent(shareToken)}/live${since}`
  const send = given ?? ((address, init) => fetch(address, init) as Promise<LiveResponse>)
  return await send(url, { headers: { Accept: 'text/event-stream' }, signal })
}

type Connection = ReturnType<typeof connect>

/** Begins a connection, which is given up when it is silent for too long. */
function connect(signal: AbortSignal | undefined) {
  const aborting = new AbortController()
  const abort = () => aborting.abort()
  let timer = setTimeout(abort, LONGEST_SILENCE_MS)
  signal?.addEventListener('abort', abort)
  return {
    signal: aborting.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(abort, LONGEST_SILENCE_MS)
    },
    close() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      abort()
    },
  }
}

async function* eventsOf(response: LiveResponse, connection: Connection) {
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  // A captive portal or a proxy has answered.
  if (response.status !== 200 || !isStream || response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const parse = serverSentEvents()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    connection.heard()
    yield* parse(decoder.decode(value, { stream: true }))
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
