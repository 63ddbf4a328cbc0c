import type { TrackSeries } from '../api/tracks.ts'

/** The shortest and the longest time that a speed is averaged over. A long track is drawn on the same few pixels. */
const MIN_WINDOW_MS = 30_000
const MAX_WINDOW_MS = 60_000
/** Windows that a track is divided into before they get longer. */
const WINDOWS = 120

type Way = Pick<TrackSeries, 'time_ms' | 'distance_meters' | 'gaps'>

/** Returns the time that speeds of a track are averaged over. */
export function smoothingMs({ time_ms }: Pick<Way, 'time_ms'>): number {
  const durationMs = (time_ms.at(-1) ?? 0) - (time_ms[0] ?? 0)
  return Math.min(MAX_WINDOW_MS, Math.max(MIN_WINDOW_MS, durationMs / WINDOWS))
}

/**
 * Returns the speed to draw at each point: the distance of the time around it divided by that time, at least between
 * its neighbours, but never over a gap; null for an isolated point. For display only. Speeds at single points jitter,
 * and downsampling a long track keeps just the fastest points; the distance between points is that of the statistics.
 */
export function smoothSpeeds({ time_ms, distance_meters, gaps }: Way): (number | null)[] {
  const halfMs = smoothingMs({ time_ms }) / 2
  const breaks = new Set(gaps.map(({ index }) => index))
  const speeds: (number | null)[] = []
  const last = time_ms.length - 1
  let from = 0
  let to = 0
  for (let index = 0; index <= last; index++) {
    if (breaks.has(index)) from = index
    while (from < index - 1 && time_ms[from] < time_ms[index] - halfMs) from++
    to = Math.max(to, index)
    while (to < last && !breaks.has(to + 1) && (to === index || time_ms[to + 1] <= time_ms[index] + halfMs)) to++
    const sec = (time_ms[to] - time_ms[from]) / 1000
    speeds.push(sec > 0 ? (distance_meters[to] - distance_meters[from]) / sec : null)
  }
  return speeds
}
