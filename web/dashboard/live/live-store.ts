import type { LiveAsOf, LiveReady } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveState } from './live-state.ts'
import { applyLiveEvent, type LiveEvent, openLiveStream } from './live-stream.ts'
import { createLiveTracks, endWholeSnapshot, type LiveTracks } from './live-tracks.ts'
import { beforeNextFrame, createFrameBatches } from './stream/frame-batches.ts'
import { createServerClock } from './stream/server-clock.ts'
import { throttleByCost } from './stream/throttle-by-cost.ts'

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

/** The tracks of a live stream as an external store for `useSyncExternalStore`. */
type LiveStore<Track extends SharedTrack> = {
  getSnapshot(): LiveSnapshot<Track>
  subscribe(listener: () => void): () => void
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
): LiveStore<Track> {
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
    subscribe(listener) {
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
