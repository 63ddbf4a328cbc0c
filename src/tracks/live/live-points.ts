import type { PointColumns } from '../points/point-columns.ts'
import type { LivePoints } from '../schemas/live.ts'

/** Most positions in one message: a line on a map shows no more of a few minutes. */
const MAX_POSITIONS = 200
/** Most positions of all tracks together, except that each track gets the few that make a line. */
const MAX_TOTAL_POSITIONS = 10_000
const MIN_POSITIONS = 16

/** Returns how many positions each track gets when so many tracks are sent at once. */
export function positionsPerTrack(tracks: number): number {
  return Math.min(MAX_POSITIONS, Math.max(MIN_POSITIONS, Math.floor(MAX_TOTAL_POSITIONS / tracks)))
}

/** Reduces the end of a track evenly to `maxPositions` positions. The last position is always kept. */
export function livePoints(trackId: string, points: PointColumns, maxPositions: number, hasGap: boolean): LivePoints {
  const shown = Math.min(points.count, maxPositions)
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

/** Returns the latest known charge of the phone, in per cent; undefined if no point tells it. */
export function lastBatteryPercent({ battery }: PointColumns): number | undefined {
  const level = battery.findLast((value) => !Number.isNaN(value))
  return level === undefined ? undefined : Math.round(level * 100)
}
