import type { TrackSeries } from '../api/tracks.ts'

/** Half of the time that a speed is averaged over. */
const HALF_WINDOW_MS = 10_000
/** A maximum further than this above the fastest average is an outlier of the receiver, and no end for a scale. */
const MAX_PLAUSIBLE_RATIO = 1.25

type Way = Pick<TrackSeries, 'time_ms' | 'distance_meters' | 'gaps'>

/**
 * Returns the speed to draw at each point: the distance of the ten seconds before and after it divided by their time, at
 * least between its neighbours, but never over a gap; null for an isolated point. For display only. Speeds at single
 * points jitter, and downsampling a long track keeps just the fastest points; the distance between points is that of the
 * statistics, so the line peaks where they do.
 */
export function smoothSpeeds({ time_ms, distance_meters, gaps }: Way): (number | null)[] {
  const breaks = new Set(gaps.map(({ index }) => index))
  const speeds: (number | null)[] = []
  const last = time_ms.length - 1
  let from = 0
  let to = 0
  for (let index = 0; index <= last; index++) {
    if (breaks.has(index)) from = index
    while (from < index - 1 && time_ms[from] < time_ms[index] - HALF_WINDOW_MS) from++
    to = Math.max(to, index)
    while (to < last && !breaks.has(to + 1) && (to === index || time_ms[to + 1] <= time_ms[index] + HALF_WINDOW_MS))
      to++
    const sec = (time_ms[to] - time_ms[from]) / 1000
    speeds.push(sec > 0 ? (distance_meters[to] - distance_meters[from]) / sec : null)
  }
  return speeds
}

/**
 * Returns the upper end of the speed scale: the maximum of the statistics, so that both agree, unless it is far above
 * everything that is drawn. Then, and if it is unknown, the highest speed drawn.
 */
export function speedScaleEnd(speeds: readonly (number | null)[], maxSpeedMps: number | undefined): number {
  const highest = speeds.reduce<number>((most, mps) => Math.max(most, mps ?? 0), 0)
  return maxSpeedMps !== undefined && maxSpeedMps <= highest * MAX_PLAUSIBLE_RATIO
    ? Math.max(highest, maxSpeedMps)
    : highest
}
