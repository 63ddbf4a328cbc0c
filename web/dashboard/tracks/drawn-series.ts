import { closestLongitude, unwrapLongitudes } from '../../map/unwrap-longitudes.ts'
import type { TrackSeries } from '../api/tracks.ts'
import { smoothSpeeds } from './smooth-speeds.ts'

/** Returns a series for drawing: with smoothed speeds, and unbroken across the antimeridian. */
export function drawnSeries(series: TrackSeries): TrackSeries {
  const longitude = unwrapLongitudes(series.longitude)
  const start = longitude[0] ?? 0
  const leftOut = series.left_out.longitude.map((degrees) => closestLongitude(degrees, start))
  return {
    ...series,
    longitude,
    speed_mps: smoothSpeeds(series),
    left_out: { ...series.left_out, longitude: leftOut },
  }
}
