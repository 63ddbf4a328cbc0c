import type { TrackSeries } from '../schemas/track-series.ts'
import type { TrackSeriesColumns } from '../statistics/track-series.ts'

/** Decimals that a map and a profile can show: a centimetre of position, of height and of way, a millimetre a second. */
const DEGREES = 7
const METERS = 2
const MPS = 3

/** A series as it goes over the wire. */
export function seriesJson(trackId: string, series: TrackSeriesColumns): TrackSeries {
  return {
    track_id: trackId,
    points_count: series.pointsCount,
    points_used: series.pointsUsed,
    time_ms: [...series.timeMs],
    latitude: numbers(series.latitude, DEGREES),
    longitude: numbers(series.longitude, DEGREES),
    altitude: knownNumbers(series.altitude, METERS),
    altitude_smoothed: knownNumbers(series.altitudeSmoothed, METERS),
    speed_mps: knownNumbers(series.speedMps, MPS),
    distance_meters: numbers(series.distanceMeters, METERS),
    gaps: series.gaps,
    left_out: {
      time_ms: [...series.leftOut.timeMs],
      latitude: numbers(series.leftOut.latitude, DEGREES),
      longitude: numbers(series.leftOut.longitude, DEGREES),
      reason: series.leftOut.reason,
    },
    speed_source: series.speedSource,
    elevation_method: series.elevationMethod,
  }
}

function numbers(column: Float64Array, decimals: number): number[] {
  return Array.from(column, (value) => rounded(value, decimals))
}

function knownNumbers(column: Float64Array, decimals: number): (number | null)[] {
  return Array.from(column, (value) => (Number.isNaN(value) ? null : rounded(value, decimals)))
}

/** Values too large for it stay as they are. */
function rounded(value: number, decimals: number): number {
  const scaled = value * 10 ** decimals
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / 10 ** decimals : value
}
