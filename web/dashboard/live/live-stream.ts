import type { LivePoints, LiveTrackDeleted } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveState } from './live-state.ts'
import { applyDeletion, applyPoints, applyTrack, beginSnapshot, type LiveTracks } from './live-tracks.ts'

/** An event as it came, its JSON not yet parsed. `opened`, without any, precedes those of each connection. */
export type LiveEvent = { name: 'opened' | 'track' | 'points' | 'track-deleted' | 'ready' | 'as-of'; json: string }

export type LiveListener = {
  onEvent(event: LiveEvent): void
  onState(change: LiveState | ((before: LiveState) => LiveState)): void
}

const NAMES = ['track', 'points', 'track-deleted', 'ready', 'as-of'] as const
/** Pause before the first retry after a refusal; it doubles with each further one. */
const MIN_RETRY_MS = 3000
const MAX_RETRY_MS = 60_000

/**
 * Listens to a stream of server-sent events until it is closed. The browser reconnects after a broken connection and
 * sends the id of the last event it received (HTML, 9.2). It gives up when the response is not a stream, such as that
 * of a proxy whose server is restarting. This function then retries, with the last event's id in the address.
 */
export function openLiveStream(address: string, { onEvent, onState }: LiveListener): { close(): void } {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = MIN_RETRY_MS
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
      retryMs = MIN_RETRY_MS
      onEvent({ name: 'opened', json: '' })
      onState((before) => (before === 'opening' ? 'opening' : 'live'))
    }
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return onState('waiting')
      onState('closed')
      timer = setTimeout(open, retryMs)
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
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

/** Applies an event to the tracks. */
export function applyLiveEvent<Track extends SharedTrack>(live: LiveTracks<Track>, { name, json }: LiveEvent): void {
  const data: unknown = name === 'opened' ? undefined : JSON.parse(json)
  if (name === 'opened') beginSnapshot(live)
  else if (name === 'track') applyTrack(live, data as Track)
  else if (name === 'points') applyPoints(live, data as LivePoints)
  else if (name === 'track-deleted') applyDeletion(live, (data as LiveTrackDeleted).id)
}
