import type { LivePoints } from '../operator-schemas.ts'
import type { PointColumns } from '../points/point-columns.ts'

/** Positions that one event carries at most: a line on a map shows no more of a few minutes. */
const MAX_POSITIONS = 200

/** The end of a track as an event carries it, evenly thinned, the last position always among the others. */
export function livePoints(trackId: string, points: PointColumns, hasGap: boolean): LivePoints {
  const shown = Math.min(points.count, MAX_POSITIONS)
  const indexes = Array.from({ length: shown }, (_, i) => Math.ceil(((i + 1) * points.count) / shown) - 1)
  const known = (column: Float64Array) => indexes.map((i) => (Number.isNaN(column[i]) ? null : column[i]))
  return {
    track_id: trackId,
    has_gap: hasGap,
    time_ms: indexes.map((i) => points.timeMs[i]),
    latitude: indexes.map((i) => points.latitude[i]),
    longitude: indexes.map((i) => points.longitude[i]),
    altitude: known(points.altitude),
    speed_mps: known(points.speedMps),
  }
}
