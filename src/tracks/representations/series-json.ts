import type { SeriesExtreme, TrackSeries } from '../schemas/track-series.ts'
import type { Extreme } from '../statistics/extremes.ts'
import type { TrackSeriesColumns } from '../statistics/track-series.ts'
import type { TrimmedEnd } from '../statistics/trimmed-ends.ts'

/**
 * Decimals that a map and a profile can show: a centimeter of position, altitude and distance, a millimeter per second.
 */
const DEGREE_DECIMALS = 7
const METER_DECIMALS = 2
const MPS_DECIMALS = 3

/**
 * Represents a series in the words of the API. `trimmed` are the ends that are not shown; if it is undefined, left-out
 * points are not shown either.
 */
export function seriesJson(
  trackId: string,
  series: TrackSeriesColumns,
  trimmed: readonly TrimmedEnd[] | undefined,
): TrackSeries {
  const { lowest, highest, fastest } = series.extremes
  return {
    track_id: trackId,
    points_count: series.pointsCount,
    points_used: series.pointsUsed,
    time_ms: [...series.timeMs],
    latitude: numbers(series.latitude, DEGREE_DECIMALS),
    longitude: numbers(series.longitude, DEGREE_DECIMALS),
    altitude: knownNumbers(series.altitude, METER_DECIMALS),
    altitude_smoothed: knownNumbers(series.altitudeSmoothed, METER_DECIMALS),
    speed_mps: knownNumbers(series.speedMps, MPS_DECIMALS),
    distance_meters: numbers(series.distanceMeters, METER_DECIMALS),
    gaps: series.gaps,
    extremes: {
      min_altitude_m: extremeJson(lowest, METER_DECIMALS),
      max_altitude_m: extremeJson(highest, METER_DECIMALS),
      max_speed_mps: extremeJson(fastest, MPS_DECIMALS),
    },
    left_out: trimmed ? leftOutJson(series.leftOut) : { time_ms: [], latitude: [], longitude: [], reason: [] },
    trimmed: (trimmed ?? []).map((end) => ({
      latitude: numbers(end.latitude, DEGREE_DECIMALS),
      longitude: numbers(end.longitude, DEGREE_DECIMALS),
    })),
    speed_source: series.speedSource,
    elevation_method: series.elevationMethod,
  }
}

function extremeJson(extreme: Extreme | undefined, decimals: number): SeriesExtreme | undefined {
  return extreme && { index: extreme.index, value: rounded(extreme.value, decimals) }
}

function leftOutJson(leftOut: TrackSeriesColumns['leftOut']): TrackSeries['left_out'] {
  return {
    time_ms: [...leftOut.timeMs],
    latitude: numbers(leftOut.latitude, DEGREE_DECIMALS),
    longitude: numbers(leftOut.longitude, DEGREE_DECIMALS),
    reason: leftOut.reason,
  }
}

function numbers(column: Float64Array, decimals: number): number[] {
  return Array.from(column, (value) => rounded(value, decimals))
}

function knownNumbers(column: Float64Array, decimals: number): (number | null)[] {
  return Array.from(column, (value) => (Number.isNaN(value) ? null : rounded(value, decimals)))
}

/** Rounds a value. Values too large to round stay unchanged. */
function rounded(value: number, decimals: number): number {
  const scaled = value * 10 ** decimals
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / 10 ** decimals : value
}
