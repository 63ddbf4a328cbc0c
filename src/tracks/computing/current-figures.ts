import { STATISTICS_METHOD } from '../statistics/statistics.ts'
import type { TrackRow } from '../storage/tables.ts'

/** Tells whether the stored statistics of a track are those of all its points, as they are computed today. */
export type HasCurrentFigures = (
  row: Pick<TrackRow, 'revision' | 'computed_revision' | 'computed_method' | 'computed_stats'>,
) => boolean

/** Returns what stored statistics depend on besides the track: another version or another setting computes others. */
export function methodOf(maxAccuracyMeters: number): string {
  return `${STATISTICS_METHOD}/${maxAccuracyMeters}`
}

/** Creates the check of everyone who shows or refreshes stored statistics. */
export function createFiguresCheck(maxAccuracyMeters: number): HasCurrentFigures {
  const method = methodOf(maxAccuracyMeters)
  return (row) =>
    row.computed_stats !== null && row.computed_revision === row.revision && row.computed_method === method
}
