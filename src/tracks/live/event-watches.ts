import type { Registry } from 'prom-client'
import { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import { addLiveLag, WatchRegistry } from '#platform/jobs/poll-loop.ts'
import type { Frames } from '../frames/frames.ts'
import { nameOfSeries, seriesNamed } from '../frames/store.ts'
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
  const watches = new WatchRegistry((name, onEnd) => {
    const { eventId, delaySec } = seriesNamed(name)
    delays.set(eventId, (delays.get(eventId) ?? new Set()).add(delaySec))
    return new EventWatch({ ...deps, share, pastEnds, eventId, delaySec, onEnd: () => end(name, onEnd) })
  })

  const feeds = new WatchRegistry(
    (name, onEnd) => new FrameFeed({ ...deps, ...seriesNamed(name), share, frames, onEnd }),
  )

  let checks = 0
  addLiveLag(registry, 'tracks', () => [...watches.all(), ...frames.all()])

  function end(name: string, onEnd: () => void): void {
    const { eventId, delaySec } = seriesNamed(name)
    onEnd()
    delays.get(eventId)?.delete(delaySec)
    if (delays.get(eventId)?.size === 0) delays.delete(eventId)
  }

  return {
    /** Sends a viewer the changes of an event, by a delay later, until its stream ends. */
    join: (eventId: string, viewer: Viewer, delaySec = 0): void =>
      watches.open(nameOfSeries({ eventId, delaySec })).join(viewer),
    /** Tells a viewer of each frame of an event, or sends it, until its stream ends. */
    joinFrames: (eventId: string, viewer: FrameViewer, delaySec: number): void =>
      feeds.open(nameOfSeries({ eventId, delaySec })).join(viewer),
    /** Number of calls of `check`. */
    get checks(): number {
      return checks
    },
    /** Ends the streams of viewers that lost access. To be called when the event, a track or a share has ended. */
    check(eventId: string): void {
      checks++
      for (const delaySec of delays.get(eventId) ?? []) watches.find(nameOfSeries({ eventId, delaySec }))?.check()
      for (const feed of feeds.all()) if (feed.eventId === eventId) feed.check()
    },
  }
}
