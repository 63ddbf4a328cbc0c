import { closestLongitude, unwrapLongitudes } from '../../map/unwrap-longitudes.ts'
import type { TrackSeries } from '../api/tracks.ts'
import { gradients } from './gradients.ts'
import { smoothSpeeds } from './smooth-speeds.ts'

/** A series as it is drawn. */
export type DrawnSeries = TrackSeries & {
  /** The slope at each point; null where it is unknown. */
  gradient: (number | null)[]
}

/**
 * Returns a series for drawing: unbroken across the antimeridian, with smooth speeds and altitudes that still have the
 * extremes of the statistics, at their points.
 */
export function drawnSeries(series: TrackSeries): DrawnSeries {
  const longitude = unwrapLongitudes(series.longitude)
  const start = longitude[0] ?? 0
  const near = (degrees: readonly number[]) => degrees.map((each) => closestLongitude(each, start))
  const { min_altitude_m, max_altitude_m, max_speed_mps } = series.extremes
  return {
    ...series,
    longitude,
    speed_mps: withMaximum(smoothSpeeds(series), max_speed_mps),
    altitude_smoothed: withValue(withValue(series.altitude_smoothed, min_altitude_m), max_altitude_m),
    gradient: gradients(series, series.altitude_smoothed),
    left_out: { ...series.left_out, longitude: near(series.left_out.longitude) },
    trimmed: series.trimmed.map((end) => ({ ...end, longitude: unwrapLongitudes(near(end.longitude)) })),
  }
}

type Extreme = TrackSeries['extremes']['max_speed_mps']

/** A line that rose above its maximum would contradict it: positions are coarser than the speed of a receiver. */
function withMaximum(values: readonly (number | null)[], maximum: Extreme): (number | null)[] {
  if (maximum === undefined) return [...values]
  return withValue(
    values.map((value) => (value === null ? null : Math.min(value, maximum.value))),
    maximum,
  )
}

function withValue(values: readonly (number | null)[], extreme: Extreme): (number | null)[] {
  return extreme === undefined ? [...values] : values.with(extreme.index, extreme.value)
}
