import type { Kysely } from 'kysely'
import { MainThreadShare } from '#platform/live/main-thread-share.ts'
import { WatchRegistry } from '#platform/live/watch-registry.ts'
import type { Logger } from '#platform/logger.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksTables } from '../storage/tables.ts'
import { EventWatch } from './event-watch.ts'
import type { Viewer } from './viewer.ts'

/** The viewers of all events on this instance. */
export type EventWatches = {
  /** Sends a viewer what happens in an event, until its stream ends. */
  join(eventId: string, viewer: Viewer): void
  /** Ends the streams of viewers that lost access. To be called when the event, a track or a share has ended. */
  check(eventId: string): void
}

type Deps = { db: Kysely<TracksTables>; logger: Logger; now: () => number; refreshStatistics: RefreshStatistics }

export function createEventWatches(deps: Deps): EventWatches {
  const share = new MainThreadShare()
  const watches = new WatchRegistry((eventId, onEnd) => new EventWatch({ ...deps, share, eventId, onEnd }))
  return {
    join: (eventId, viewer) => watches.open(eventId).join(viewer),
    check: (eventId) => watches.find(eventId)?.check(),
  }
}
