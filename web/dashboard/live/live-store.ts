import type { LiveAsOf } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { beforeNextFrame, createFrameBatches } from './frame-batches.ts'
import type { LiveState } from './live-state.ts'
import { applyLiveEvent, type LiveEvent, openLiveStream } from './live-stream.ts'
import { createLiveTracks, type LiveTracks } from './live-tracks.ts'
import { createServerClock } from './server-clock.ts'
import { throttleByCost } from './throttle-by-cost.ts'

export type LiveSnapshot<Track extends SharedTrack> = {
  tracks: LiveTracks<Track>
  /** Grows with every change of `tracks`, which is changed in place. */
  version: number
  state: LiveState
  /** Time on the page's own clock (`performance.now`) of which it shows the state; undefined before the first state. */
  currentAtMs: number | undefined
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
 * last. What it has delivered is kept in between, and the positions that come again with the next snapshot are skipped.
 */
export function createLiveStore<Track extends SharedTrack>(
  address: string,
  { openStream = openLiveStream, schedule = beforeNextFrame }: LiveStoreOptions = {},
): LiveStore<Track> {
  const tracks = createLiveTracks<Track>()
  const listeners = new Set<() => void>()
  const clock = createServerClock()
  let snapshot: LiveSnapshot<Track> = { tracks, version: 0, state: 'opening', currentAtMs: undefined }
  let disconnect: (() => void) | undefined

  function update(part: Partial<LiveSnapshot<Track>>): void {
    snapshot = { ...snapshot, ...part }
    for (const listener of listeners) listener()
  }

  function connect(): () => void {
    update({ state: 'opening' })
    const throttle = throttleByCost(() => update({ version: snapshot.version + 1 }))
    const batches = createFrameBatches<LiveEvent>({
      take: (event) => {
        // The events of the snapshot stand before `ready` in the queue, so that all of them have been applied by now.
        if (event.name === 'ready') update({ state: 'live' })
        if (event.name === 'ready' || event.name === 'as-of') update({ currentAtMs: clock.currentAt(asOfOf(event)) })
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

function asOfOf({ json }: LiveEvent): LiveAsOf {
  return JSON.parse(json) as LiveAsOf
}
