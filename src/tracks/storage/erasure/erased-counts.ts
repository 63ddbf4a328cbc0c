import type { TracksTables } from '../tables.ts'

/** The amounts that were erased, or would be. */
export type ErasedCounts = {
  /** Rows by table. Tables without any are absent. */
  tables: Partial<Record<keyof TracksTables, number>>
  points: number
  /** From the start of the earliest track to the last point or end of the latest; null without tracks. */
  fromMs: number | null
  untilMs: number | null
  /** The events that something was erased of. */
  eventIds: readonly string[]
}

export const NOTHING_ERASED: ErasedCounts = { tables: {}, points: 0, fromMs: null, untilMs: null, eventIds: [] }

/** Returns the counts of both. */
export function addCounts(one: ErasedCounts, other: ErasedCounts): ErasedCounts {
  const tables = { ...one.tables }
  for (const [name, rows] of Object.entries(other.tables) as [keyof TracksTables, number][])
    if (rows > 0) tables[name] = (tables[name] ?? 0) + rows
  return {
    tables,
    points: one.points + other.points,
    fromMs: extreme(Math.min, one.fromMs, other.fromMs),
    untilMs: extreme(Math.max, one.untilMs, other.untilMs),
    eventIds: [...new Set([...one.eventIds, ...other.eventIds])],
  }
}

/** Counts rows of one table in an event. */
export function rowsErased(eventId: string, table: keyof TracksTables, rows: number): ErasedCounts {
  return rows === 0 ? NOTHING_ERASED : { ...NOTHING_ERASED, tables: { [table]: rows }, eventIds: [eventId] }
}

type TrackFacts = { point_count: number; start_ms: number; end_ms: number | null; last_point_ms: number | null }

/** Returns points and times of tracks, without their rows. */
export function factsOfTracks(tracks: readonly TrackFacts[]): ErasedCounts {
  return tracks.reduce(
    (sum, { point_count, start_ms, end_ms, last_point_ms }) =>
      addCounts(sum, {
        ...NOTHING_ERASED,
        points: point_count,
        fromMs: start_ms,
        untilMs: Math.max(start_ms, end_ms ?? start_ms, last_point_ms ?? start_ms),
      }),
    NOTHING_ERASED,
  )
}

function extreme(of: (one: number, other: number) => number, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return of(one, other)
}
