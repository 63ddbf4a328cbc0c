import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { addLiveLag } from '#platform/live/live-lag.ts'
import { MainThreadShare } from '#platform/live/main-thread-share.ts'
import { WatchRegistry } from '#platform/live/watch-registry.ts'
import type { Logger } from '#platform/logger.ts'
import type { HasCurrentFigures } from '../computing/current-figures.ts'
import type { DelayedTails } from '../computing/delay/delayed-tails.ts'
import type { DelayedTracks } from '../computing/delay/delayed-tracks.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksTables } from '../storage/tables.ts'
import { EventWatch } from './event-watch.ts'
import { createPastEnds } from './past-ends.ts'
import type { Viewer } from './viewer.ts'

/** The viewers of all events on this instance. */
export type EventWatches = {
  /** Sends a viewer what happens in an event, by a delay later, until its stream ends. */
  join(eventId: string, viewer: Viewer, delaySec?: number): void
  /** Ends the streams of viewers that lost access. To be called when the event, a track or a share has ended. */
  check(eventId: string): void
}

type Deps = {
  db: Kysely<TracksTables>
  logger: Logger
  /** Gets the metric of how far viewers are behind. */
  registry: Registry
  now: () => number
  refreshStatistics: RefreshStatistics
  delayedTracks: DelayedTracks
  delayedTails: DelayedTails
  hasCurrentFigures: HasCurrentFigures
}

export function createEventWatches({ registry, ...deps }: Deps): EventWatches {
  const share = new MainThreadShare()
  const pastEnds = createPastEnds()
  /** Viewers with different delays see different things, and are watches of their own. */
  const delays = new Map<string, Set<number>>()
  const watches = new WatchRegistry((key, onEnd) => {
    const { eventId, delaySec } = partsOf(key)
    delays.set(eventId, (delays.get(eventId) ?? new Set()).add(delaySec))
    return new EventWatch({ ...deps, share, pastEnds, eventId, delaySec, onEnd: () => end(key, onEnd) })
  })

  addLiveLag(registry, 'tracks', () => watches.all())

  function end(key: string, onEnd: () => void): void {
    const { eventId, delaySec } = partsOf(key)
    onEnd()
    delays.get(eventId)?.delete(delaySec)
    if (delays.get(eventId)?.size === 0) delays.delete(eventId)
  }

  return {
    join: (eventId, viewer, delaySec = 0) => watches.open(keyOf(eventId, delaySec)).join(viewer),
    check(eventId) {
      for (const delaySec of delays.get(eventId) ?? []) watches.find(keyOf(eventId, delaySec))?.check()
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
