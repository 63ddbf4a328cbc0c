import type { LivePoints, LiveTrackDeleted } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveState } from './live-state.ts'
import { applyDeletion, applyPoints, applyTrack, type LiveTracks } from './live-tracks.ts'

/** An event as it came, its JSON not yet read. */
export type LiveEvent = { name: 'track' | 'points' | 'track-deleted' | 'ready'; json: string }

type Listener = {
  onEvent(event: LiveEvent): void
  onState(change: LiveState | ((before: LiveState) => LiveState)): void
}

const NAMES = ['track', 'points', 'track-deleted', 'ready'] as const
/** A server that refused is asked again after so long, and then ever less often. */
const FIRST_RETRY_MS = 3000
const LAST_RETRY_MS = 60_000

/**
 * Listens to a stream of server-sent events until it is closed. The browser makes a broken connection anew by itself and
 * says which event it had last (HTML, 9.2). It gives up where the answer is not a stream, as that of a proxy whose
 * server is being started; then it is tried again here, and the last event is said in the address.
 */
export function openLiveStream(address: string, { onEvent, onState }: Listener): { close(): void } {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = FIRST_RETRY_MS
  let lastEventId = ''

  function open(): void {
    source = new EventSource(lastEventId === '' ? address : `${address}?last_event_id=${lastEventId}`)
    for (const name of NAMES) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (event.lastEventId !== '') lastEventId = encodeURIComponent(event.lastEventId)
        onEvent({ name, json: event.data })
      })
    }
    source.addEventListener('ended', () => {
      source.close()
      onState('ended')
    })
    source.onopen = () => {
      retryMs = FIRST_RETRY_MS
      onState((before) => (before === 'opening' ? 'opening' : 'live'))
    }
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return onState('waiting')
      onState('closed')
      timer = setTimeout(open, retryMs)
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)
    }
  }

  open()
  return {
    close() {
      clearTimeout(timer)
      source.close()
    },
  }
}

/** Takes an event in. */
export function takeLiveEvent<Track extends SharedTrack>(live: LiveTracks<Track>, { name, json }: LiveEvent): void {
  const data: unknown = JSON.parse(json)
  if (name === 'track') applyTrack(live, data as Track)
  else if (name === 'points') applyPoints(live, data as LivePoints)
  else if (name === 'track-deleted') applyDeletion(live, (data as LiveTrackDeleted).id)
}
