import { unwrapLongitudes } from '../../map/unwrap-longitudes.ts'
import type { TrackSeries } from '../api/tracks.ts'
import type { Position } from './live-tracks.ts'

/** The line of a series up to the first point at a time or later, in parts between its gaps. */
export function lineUntil(
  { time_ms, longitude, latitude, gaps }: Pick<TrackSeries, 'time_ms' | 'longitude' | 'latitude' | 'gaps'>,
  untilMs: number,
): Position[][] {
  const later = time_ms.findIndex((timeMs) => timeMs >= untilMs)
  const end = later === -1 ? time_ms.length : later + 1
  const longitudes = unwrapLongitudes(longitude)
  const breaks = gaps.map(({ index }) => index).filter((index) => index < end)
  return [0, ...breaks].map((start, part) => {
    const indexes = Array.from({ length: (breaks[part] ?? end) - start }, (_, i) => start + i)
    return indexes.map((index): Position => [longitudes[index], latitude[index]])
  })
}
