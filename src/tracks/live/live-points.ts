import type { PointColumns } from '../points/point-columns.ts'
import type { LivePoints } from '../schemas/live.ts'

/** Positions that one event carries at most: a line on a map shows no more of a few minutes. */
const MAX_POSITIONS = 200
/** What is told of many tracks at once is this much together, but for the few that make a line of each. */
const POSITIONS_AT_ONCE = 10_000
const MIN_POSITIONS = 16

/** How many positions of each track are told where so many tracks are told of at once. */
export function positionsOfEach(tracks: number): number {
  return Math.min(MAX_POSITIONS, Math.max(MIN_POSITIONS, Math.floor(POSITIONS_AT_ONCE / tracks)))
}

/** The end of a track as an event carries it, evenly thinned to the `most` positions, the last position always among the others. */
export function livePoints(trackId: string, points: PointColumns, most: number, hasGap: boolean): LivePoints {
  const shown = Math.min(points.count, most)
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
