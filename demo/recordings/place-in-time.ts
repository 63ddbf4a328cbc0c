import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'

/** When a recording is taken up again, and how much faster than it was. */
export type Pace = { startMs: number; factor: number }

/** A pause is kept, but not a night, or a clock that was set. */
const LONGEST_GAP_MS = 180_000

/** The points of a recording at new times, from `startMs` on, with the speeds that go with them. */
export function placeInTime(points: readonly ActivityPoint[], { startMs, factor }: Pace): ActivityPoint[] {
  let timeMs = startMs
  return points.map((point, i) => {
    if (i > 0) {
      const gapMs = Date.parse(point.timestamp) - Date.parse(points[i - 1].timestamp)
      timeMs += Math.min(Math.max(gapMs, 0), LONGEST_GAP_MS) / factor
    }
    const placed = { ...point, timestamp: new Date(timeMs).toISOString() }
    if (point.speed_mps !== undefined) placed.speed_mps = Math.round(point.speed_mps * factor * 1000) / 1000
    return placed
  })
}
