import type { Kysely } from 'kysely'
import { decodePauses, encodePauses, pausesUntil } from '../../domain/pauses.ts'
import { stateAt } from '../../domain/spectator-delay.ts'
import type { TrackRow, TracksTables } from '../../storage/tables.ts'
import type { DelayedStatistics } from './delayed-statistics.ts'
import { type EndUntil, endsUntil } from './ends-until.ts'

/** Tracks whose points are counted at once. */
const TRACKS_PER_READ = 100

/**
 * Returns tracks as they were at a time, in their order, for spectators who may know nothing later: whoever shows them
 * anything begins with these rows. Tracks that had not begun are left out. Nothing in a row, nor what is computed from
 * it, tells of anything later, not even that there is more.
 */
export type DelayedTracks = (rows: readonly TrackRow[], untilMs: number) => Promise<TrackRow[]>

type Deps = { db: Kysely<TracksTables>; delayedStatistics: DelayedStatistics }

/** Creates the reader of delayed tracks. With an infinite time it returns the rows as they are. */
export function createDelayedTracks({ db, delayedStatistics }: Deps): DelayedTracks {
  return async (rows, untilMs) => {
    if (untilMs === Number.POSITIVE_INFINITY) return [...rows]
    const begun = rows.filter(({ start_ms }) => start_ms <= untilMs)
    const open = begun.filter((row) => goesOnAfter(row, untilMs))
    const ends = new Map<string, EndUntil>()
    for (let start = 0; start < open.length; start += TRACKS_PER_READ) {
      const ids = open.slice(start, start + TRACKS_PER_READ).map(({ id }) => id)
      for (const [id, end] of await endsUntil(db, ids, untilMs)) ends.set(id, end)
    }
    delayedStatistics.refresh(open, untilMs)
    return begun.map((row) => {
      if (!goesOnAfter(row, untilMs)) return row
      return trackAsOf(row, untilMs, ends.get(row.id), delayedStatistics.find(row, untilMs))
    })
  }
}

/** Tells whether a track has anything later than a time: its beginning, a point, its end, or any other change. */
export function goesOnAfter(
  {
    start_ms,
    last_point_ms,
    end_ms,
    updated_at,
  }: Pick<TrackRow, 'start_ms' | 'last_point_ms' | 'end_ms' | 'updated_at'>,
  untilMs: number,
): boolean {
  return Math.max(start_ms, last_point_ms ?? start_ms, end_ms ?? start_ms, updated_at) > untilMs
}

function trackAsOf(
  row: TrackRow,
  untilMs: number,
  end: EndUntil | undefined,
  statistics: string | undefined,
): TrackRow {
  const pauses = decodePauses(row.pauses)
  const state = stateAt({ state: row.state, endMs: row.end_ms, updatedAtMs: row.updated_at, pauses }, untilMs)
  return {
    ...row,
    state,
    end_ms: state === 'stopped' ? row.end_ms : null,
    pauses: encodePauses(pausesUntil(pauses, untilMs)),
    point_count: end?.count ?? 0,
    last_point_ms: end?.lastMs ?? null,
    // The time of the latest change would tell that the phone still sends.
    updated_at: end?.lastMs ?? row.start_ms,
    given_stats: null,
    computed_stats: statistics ?? null,
    distance_m: null,
    // Whatever is computed from the points of this row ends here.
    shown_until_ms: Math.min(row.shown_until_ms ?? untilMs, untilMs),
  }
}
