import { createKnownTracks } from './known-tracks.ts'
import type { LiveEvent } from './live-events.ts'
import { ShareEndedError } from './share-ended.ts'
import { connect, eventsOf, type StreamAnswer } from './stream-connection.ts'

/** Settings of the reader. */
export type WatchStreamOptions = {
  /** Address of the server, such as `https://tracks.example.org`. */
  baseUrl: string
  /** Token of the share, the last part of its link. */
  shareToken: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** A `fetch` whose bodies are streams. React Native needs that of `expo/fetch`. */
  fetch?: (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<StreamAnswer>
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
    const connection = connect(options.signal, LONGEST_SILENCE_MS)
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
): Promise<StreamAnswer> {
  // In the address, because a page of another site may not send the header without a preflight.
  const since = lastEventId === undefined ? '' : `?last_event_id=${encodeURIComponent(lastEventId)}`
  const url = `${baseUrl.replace(/\/+$/, '')}/shares/${encodeURIComponent(shareToken)}/live${since}`
  const send = given ?? ((address, init) => fetch(address, init) as Promise<StreamAnswer>)
  return await send(url, { headers: { Accept: 'text/event-stream' }, signal })
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
