import type { Registry } from 'prom-client'
import { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import { addLiveLag, WatchRegistry } from '#platform/jobs/poll-loop.ts'
import type { Frames } from '../frames/frames.ts'
import { EventWatch, type WatchOptions } from './event-watch.ts'
import { FrameFeed, type FrameViewer } from './frame-feed.ts'
import { createPastEnds } from './track-messages.ts'
import type { Viewer } from './viewer.ts'

/** The viewers of all events on this instance. */
export type EventWatches = ReturnType<typeof createEventWatches>

type Deps = Omit<WatchOptions, 'eventId' | 'delaySec' | 'share' | 'pastEnds' | 'onEnd'> & {
  frames: Frames
  /** Gets the metric of how far viewers are behind. */
  registry: Registry
}

export function createEventWatches({ registry, frames, ...deps }: Deps) {
  const share = new MainThreadShare()
  const pastEnds = createPastEnds()
  /** Viewers with different delays see different things, and are watches of their own. */
  const delays = new Map<string, Set<number>>()
  const watches = new WatchRegistry((key, onEnd) => {
    const { eventId, delaySec } = partsOf(key)
    delays.set(eventId, (delays.get(eventId) ?? new Set()).add(delaySec))
    return new EventWatch({ ...deps, share, pastEnds, eventId, delaySec, onEnd: () => end(key, onEnd) })
  })

  const feeds = new WatchRegistry((key, onEnd) => {
    const { eventId, delaySec } = partsOf(key)
    return new FrameFeed({ ...deps, share, eventId, delaySec, frames, onEnd })
  })

  let checks = 0
  addLiveLag(registry, 'tracks', () => [...watches.all(), ...frames.all()])

  function end(key: string, onEnd: () => void): void {
    const { eventId, delaySec } = partsOf(key)
    onEnd()
    delays.get(eventId)?.delete(delaySec)
    if (delays.get(eventId)?.size === 0) delays.delete(eventId)
  }

  return {
    /** Sends a viewer the changes of an event, by a delay later, until its stream ends. */
    join: (eventId: string, viewer: Viewer, delaySec = 0): void => watches.open(keyOf(eventId, delaySec)).join(viewer),
    /** Tells a viewer of each frame of an event, or sends it, until its stream ends. */
    joinFrames: (eventId: string, viewer: FrameViewer, delaySec: number): void =>
      feeds.open(keyOf(eventId, delaySec)).join(viewer),
    /** Number of calls of `check`. */
    get checks(): number {
      return checks
    },
    /** Ends the streams of viewers that lost access. To be called when the event, a track or a share has ended. */
    check(eventId: string): void {
      checks++
      for (const delaySec of delays.get(eventId) ?? []) watches.find(keyOf(eventId, delaySec))?.check()
      for (const feed of feeds.all()) if (feed.eventId === eventId) feed.check()
    },
  }
}

function keyOf(eventId: string, delaySec: number): string {
  return `${delaySec} ${eventId}`
}

function partsOf(key: string): { eventId: string; delaySec: number } {
  const at = key.indexOf(' ')
  return { eventId: key.slice(at + 1), delaySec: Number(key.slice(0, at)) }
}
