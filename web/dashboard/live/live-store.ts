import { useMemo, useSyncExternalStore } from 'react'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import type { LiveAsOf, LivePoints, LiveReady, LiveTrackDeleted } from '../../../src/tracks/live/schemas.ts'
import type { LiveState } from '../components/live-status.tsx'
import {
  applyDeletion,
  applyPoints,
  applyTrack,
  beginSnapshot,
  createLiveTracks,
  endWholeSnapshot,
  type LiveTracks,
} from './live-tracks.ts'
import { beforeNextFrame, createFrameBatches, createServerClock, throttleByCost } from './stream-timing.ts'

export type LiveSnapshot<Track extends SharedTrack> = {
  tracks: LiveTracks<Track>
  /** Grows with every change of `tracks`, which is changed in place. */
  version: number
  state: LiveState
  /** Time on the page's own clock (`performance.now`) of which it shows the state; undefined before the first state. */
  currentAtMs: number | undefined
  /** Older tracks of the event that the stream leaves out. */
  leftOut: number
  /** Time by which everything is shown later, as to spectators of an event with a delay. */
  delaySec: number
  /** Returns the time, by the server's clock, of which the tracks can be known now; by the page's until it is known. */
  shownNowMs(): number
}

/** The surroundings of a store; tests replace them. */
type LiveStoreOptions = {
  openStream?: typeof openLiveStream
  /** Calls back before the next frame. */
  schedule?(callback: () => void): void
}

/** Time of each frame that goes to reading events; the rest is left to scrolling and typing. */
const FRAME_BUDGET_MS = 8

/**
 * Creates the store of one stream of server-sent events. The stream opens with the first subscriber and closes with the
 * last. What it has delivered is kept in between. Of the next whole snapshot, the positions that come again are
 * skipped, and tracks that it does not have are removed.
 */
export function createLiveStore<Track extends SharedTrack>(
  address: string,
  { openStream = openLiveStream, schedule = beforeNextFrame }: LiveStoreOptions = {},
) {
  const tracks = createLiveTracks<Track>()
  const listeners = new Set<() => void>()
  const clock = createServerClock()
  let snapshot: LiveSnapshot<Track> = {
    tracks,
    version: 0,
    state: 'opening',
    currentAtMs: undefined,
    leftOut: 0,
    delaySec: 0,
    shownNowMs: () => (clock.serverNowMs() ?? Date.now()) - snapshot.delaySec * 1000,
  }
  let disconnect: (() => void) | undefined

  function update(part: Partial<LiveSnapshot<Track>>): void {
    snapshot = { ...snapshot, ...part }
    for (const listener of listeners) listener()
  }

  /** Takes what a message tells. That of a server of an earlier version tells nothing. */
  function timesOf(message: Partial<LiveAsOf>): Partial<LiveSnapshot<Track>> {
    return { currentAtMs: clock.currentAt(message), delaySec: message.delay_sec ?? snapshot.delaySec }
  }

  /** Only a whole snapshot tells how many tracks it leaves out, and what it does not have is gone. */
  function takeReady({ json }: LiveEvent): void {
    const { tracks_left_out: leftOut } = JSON.parse(json) as LiveReady
    if (leftOut !== undefined) endWholeSnapshot(tracks)
    update({ state: 'live', ...(leftOut === undefined ? {} : { leftOut }) })
  }

  function connect(): () => void {
    update({ state: 'opening' })
    const throttle = throttleByCost(() => update({ version: snapshot.version + 1 }))
    const batches = createFrameBatches<LiveEvent>({
      take: (event) => {
        // The events of the snapshot stand before `ready` in the queue, so that all of them have been applied by now.
        if (event.name === 'ready') takeReady(event)
        if (event.name === 'ready' || event.name === 'as-of') update(timesOf(asOfOf(event)))
        else applyLiveEvent(tracks, event)
      },
      onTaken: throttle.run,
      schedule,
      budgetMs: FRAME_BUDGET_MS,
      nowMs: () => performance.now(),
    })
    const stream = openStream(address, {
      onEvent: (event) => {
        if (event.name === 'ready' || event.name === 'as-of') clock.hear(asOfOf(event))
        batches.add(event)
      },
      onState: (next) => update({ state: typeof next === 'function' ? next(snapshot.state) : next }),
    })
    return () => {
      stream.close()
      batches.clear()
      throttle.stop()
    }
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      disconnect ??= connect()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        disconnect?.()
        disconnect = undefined
      }
    },
  }
}

function asOfOf({ json }: LiveEvent): Partial<LiveAsOf> {
  return JSON.parse(json) as Partial<LiveAsOf>
}

/** Follows the tracks of a stream of server-sent events. */
export function useLiveTracks<Track extends SharedTrack>(address: string): LiveSnapshot<Track> {
  const store = useMemo(() => createLiveStore<Track>(address), [address])
  return useSyncExternalStore(store.subscribe, store.getSnapshot)
}

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
function applyLiveEvent<Track extends SharedTrack>(live: LiveTracks<Track>, { name, json }: LiveEvent): void {
  const data: unknown = name === 'opened' ? undefined : JSON.parse(json)
  if (name === 'opened') beginSnapshot(live)
  else if (name === 'track') applyTrack(live, data as Track)
  else if (name === 'points') applyPoints(live, data as LivePoints)
  else if (name === 'track-deleted') applyDeletion(live, (data as LiveTrackDeleted).id)
}
