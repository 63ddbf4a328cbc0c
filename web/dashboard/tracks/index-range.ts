import type { Split, TrackSeries } from '../api/tracks.ts'

/** Part of a series from one index to another, both included. */
export type IndexRange = { from: number; to: number }

/**
 * Returns the points of a split: those within its times, with the nearest ones
 * outside, so that splits touch each other.
 */
export function indexRangeOf({ time_ms }: Pick<TrackSeries, 'time_ms'>, split: Pick<Split, 'start_ts' | 'end_ts'>) {
  const [startMs, endMs] = [Date.parse(split.start_ts), Date.parse(split.end_ts)]
  const after = time_ms.findIndex((timeMs) => timeMs > startMs)
  const end = time_ms.findIndex((timeMs) => timeMs >= endMs)
  const range: IndexRange = {
    from: Math.max(0, (after < 0 ? time_ms.length : after) - 1),
    to: end < 0 ? time_ms.length - 1 : end,
  }
  return range
}
