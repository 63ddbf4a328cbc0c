import { LRUCache } from 'lru-cache'
import type { LivePoints } from '../schemas/live.ts'
import type { TrackRow } from '../storage/tables.ts'

/** The last positions of a track, and the latest charge of its phone if they tell it. */
export type TrackEnd = { points: LivePoints; batteryPercent: number | undefined }

/**
 * The ends of tracks of the past, kept in memory: reading one decodes thousands of points, and every new viewer of an
 * event gets them all.
 */
export type PastEnds = {
  find(row: TrackRow): TrackEnd | undefined
  keep(row: TrackRow, end: TrackEnd): void
}

/** Ends of the largest snapshots of two events; some 5 MB. */
const MAX_KEPT = 10_000

/** Creates the memory of one instance. */
export function createPastEnds(): PastEnds {
  const kept = new LRUCache<string, TrackEnd>({ max: MAX_KEPT })
  return {
    find: (row) => kept.get(keyOf(row)),
    keep: (row, end) => void kept.set(keyOf(row), end),
  }
}

/**
 * Points are never changed or removed, so a track with the same number of points and the same shown part ends alike.
 */
function keyOf({ id, point_count, last_point_ms, shown_from_ms, shown_until_ms }: TrackRow): string {
  return `${id} ${point_count} ${last_point_ms} ${shown_from_ms} ${shown_until_ms}`
}
