import type { Kysely } from 'kysely'
import type { Logger } from '#platform/logger.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import type { TracksTables } from '../storage/tables.ts'
import { EventWatch } from './event-watch.ts'
import type { Viewer } from './viewer.ts'

/** Who watches which event on this instance. */
export type EventWatches = {
  /** Begins to tell a viewer of an event, until its stream ends. */
  join(eventId: string, viewer: Viewer): void
  /** To be called when the event, a track or a share of it has ended: who may watch no longer is shown out at once. */
  check(eventId: string): void
}

export function createEventWatches(options: {
  db: Kysely<TracksTables>
  logger: Logger
  now: () => number
  refreshStatistics: RefreshStatistics
}): EventWatches {
  const watches = new Map<string, EventWatch>()
  return {
    join(eventId, viewer) {
      const onEmpty = () => watches.delete(eventId)
      const watch = watches.get(eventId) ?? new EventWatch({ ...options, eventId, onEmpty })
      watches.set(eventId, watch)
      watch.join(viewer)
    },
    check: (eventId) => watches.get(eventId)?.check(),
  }
}
