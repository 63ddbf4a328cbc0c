import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'

/** The new start of a recording, and its speed relative to the original. */
export type Pace = { startMs: number; factor: number }

/** Longest gap to keep: pauses stay, but not nights or jumps of the clock. */
const LONGEST_GAP_MS = 180_000

/** Moves the points of a recording to new times from `startMs` on, and adapts their speeds. */
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
