import { isTrimmed, shownPartOf } from '../../domain/shown-part.ts'
import type { KeptStatisticsJson, StatisticsJson } from '../../statistics/statistics-to-json.ts'
import type { TrackRow } from '../../storage/tables.ts'
import type { HasCurrentFigures } from '../current-figures.ts'
import type { DelayedEnds } from './delayed-ends.ts'
import { delayedRow } from './delayed-row.ts'
import type { DelayedStatistics } from './delayed-statistics.ts'

/**
 * Tracks that were stopped this long before the shown time have their stored figures, which are the same, and there at
 * once: an event of thousands would have none for minutes after each start.
 */
const SETTLED_MS = 86_400_000

/**
 * Returns tracks as they were at a time, in their order, for spectators who may know nothing later: whoever shows them
 * anything begins with these rows. Tracks that had not begun are left out. Nothing in a row, nor what is computed from
 * it, tells of anything later, not even that there is more: a row is the same whether there is or not.
 */
export type DelayedTracks = (rows: readonly TrackRow[], untilMs: number) => Promise<TrackRow[]>

type Deps = { delayedEnds: DelayedEnds; delayedStatistics: DelayedStatistics; hasCurrentFigures: HasCurrentFigures }

/** Creates the reader of delayed tracks. With an infinite time it returns the rows as they are. */
export function createDelayedTracks({ delayedEnds, delayedStatistics, hasCurrentFigures }: Deps): DelayedTracks {
  return async (stored, untilMs) => {
    if (untilMs === Number.POSITIVE_INFINITY) return [...stored]
    const begun = stored.filter(({ start_ms }) => start_ms <= untilMs)
    const ends = await delayedEnds(begun, untilMs)
    const rows = begun.map((row) => {
      const delayed = delayedRow(row, untilMs, ends.get(row.id)!)
      const isSettled = delayed.state === 'stopped' && delayed.updated_at <= untilMs - SETTLED_MS
      if (isSettled && !goesOnAfter(row, untilMs) && hasCurrentFigures(row)) {
        delayedStatistics.keep(delayed, untilMs, shownFigures(row))
      }
      return delayed
    })
    delayedStatistics.refresh(rows, untilMs)
    return rows.map((row) => ({ ...row, ...delayedStatistics.find(row) }))
  }
}

function shownFigures(row: TrackRow): StatisticsJson | undefined {
  const { shown, ...whole }: KeptStatisticsJson = JSON.parse(row.computed_stats!)
  return isTrimmed(shownPartOf(row)) ? shown : whole
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
