import type { ReplayedTrack } from '../model/operator-tracks-store.ts'
import { trackName } from '../model/runner-names.ts'
import type { Pause, ShownPart } from '../model/track-state.ts'
import { type PointColumns, pointsWithin } from '../points/point-columns.ts'
import { examineTrack, type StatisticsSettings } from './examined-track.ts'
import { LEG_KINDS } from './legs.ts'
import type { ReplayTrack } from './schemas.ts'
import { METERS_PER_DEGREE, shortWay, type Trace } from './trace.ts'

/** Largest error of a position in a replay; smaller ones are within the accuracy of a phone. */
const TOLERANCE_METERS = 4

/** A track reduced to the columns of a replay. Times are milliseconds since 1970, ascending. */
export type ReplayLine = {
  timeMs: Float64Array
  latitude: Float64Array
  longitude: Float64Array
  /** Distance travelled since the first point that is shown. */
  distanceMeters: Float64Array
}

/** The part of a track that is shown, and the most positions to keep of it. */
export type ReplayPart = ShownPart & { maxPositions: number }

/**
 * Returns the line of a track for a replay. The points are in canonical order; points
 * that statistics leave out are not shown.
 */
export function computeReplayLine(
  points: PointColumns,
  pauses: readonly Pause[],
  settings: StatisticsSettings,
  { maxPositions, ...part }: ReplayPart,
): ReplayLine {
  const { trace, kinds, legMeters } = examineTrack(pointsWithin(points, part), pauses, settings)
  const meters = new Float64Array(trace.count)
  for (let i = 1; i < trace.count; i++) {
    meters[i] = meters[i - 1] + (kinds[i] === LEG_KINDS.travelled ? legMeters[i] : 0)
  }
  const kept = reduceInTime(trace, { maxPoints: maxPositions, toleranceMeters: TOLERANCE_METERS })
  const pick = (column: Float64Array) => Float64Array.from(kept, (index) => column[index])
  return {
    timeMs: pick(trace.timeMs),
    latitude: pick(trace.latitude),
    longitude: pick(trace.longitude),
    distanceMeters: pick(meters),
  }
}

/**
 * A part of a track between two kept points, and its worst point: the one furthest from where a replay would show it.
 */
type Stretch = { from: number; to: number; worst: number; meters: number }

/** Most points to keep, and the distance that nobody sees on a map. */
type Reduction = { maxPoints: number; toleranceMeters: number }

/**
 * Returns the indexes of at most `maxPoints` points, at least 2, between which a runner can be drawn in even motion:
 * the top-down time-ratio algorithm (Meratnia and de By, "Spatiotemporal Compression Techniques for Moving Point
 * Objects", EDBT 2004). It halves the stretch with the largest error until none exceeds the tolerance. The error is
 * the distance between the true position at a time and the one shown then, so stops and changes of speed stay, unlike
 * with an algorithm that knows only the shape.
 */
export function reduceInTime(trace: Trace, { maxPoints, toleranceMeters }: Reduction): Int32Array {
  const { count } = trace
  if (count <= 2) return Int32Array.from({ length: count }, (_, i) => i)
  const kept = [0, count - 1]
  const stretches = [stretchOf(trace, 0, count - 1)]
  while (kept.length < maxPoints) {
    const at = worstOf(stretches)
    const { from, to, worst, meters } = stretches[at]
    if (meters <= toleranceMeters) break
    kept.push(worst)
    stretches[at] = stretchOf(trace, from, worst)
    stretches.push(stretchOf(trace, worst, to))
  }
  return Int32Array.from(kept).sort()
}

/** The number of stretches is small, and a search among them takes less than the stretches themselves. */
function worstOf(stretches: readonly Stretch[]): number {
  let worst = 0
  for (let i = 1; i < stretches.length; i++) if (stretches[i].meters > stretches[worst].meters) worst = i
  return worst
}

function stretchOf({ timeMs, latitude, longitude }: Trace, from: number, to: number): Stretch {
  const spanMs = timeMs[to] - timeMs[from]
  const [north, east] = [latitude[to] - latitude[from], shortWay(longitude[to] - longitude[from])]
  const scale = Math.cos((latitude[from] * Math.PI) / 180)
  let [worst, largest] = [from, -1]
  for (let i = from + 1; i < to; i++) {
    const share = (timeMs[i] - timeMs[from]) / spanMs
    const y = latitude[i] - latitude[from] - share * north
    const x = (shortWay(longitude[i] - longitude[from]) - share * east) * scale
    const error = x * x + y * y
    if (error > largest) [worst, largest] = [i, error]
  }
  return { from, to, worst, meters: largest < 0 ? 0 : Math.sqrt(largest) * METERS_PER_DEGREE }
}

/** Decimals of a degree: a meter, which is less than the error of a position in a replay. */
const DEGREE_DECIMALS = 5

type LineMembers = Pick<ReplayTrack, 'start_ms' | 'time_sec' | 'latitude' | 'longitude' | 'distance_m'>

/** Represents the line of a track in a replay, with at least one position. */
export function replayLineJson({ timeMs, latitude, longitude, distanceMeters }: ReplayLine): LineMembers {
  const startMs = timeMs[0]
  return {
    start_ms: startMs,
    time_sec: Array.from(timeMs, (ms) => Math.round((ms - startMs) / 100) / 10),
    latitude: Array.from(latitude, rounded),
    longitude: Array.from(longitude, rounded),
    distance_m: Array.from(distanceMeters, Math.round),
  }
}

/**
 * Writes a replay from lines that are written already: the members of `replayLineJson` without their braces; undefined
 * for a track of which nothing is shown.
 */
export function replayJson(
  tracksTotal: number,
  shown: readonly { track: ReplayedTrack; line: Uint8Array | undefined }[],
): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`{"tracks_total":${tracksTotal},"tracks":[`)]
  for (const { track, line } of shown) {
    if (line === undefined) continue
    const { id: track_id, title, activity_type, state } = track
    const head = JSON.stringify({ track_id, name: trackName(track), title, activity_type, state }).slice(0, -1)
    parts.push(Buffer.from(`${parts.length === 1 ? '' : ','}${head},`), line, CLOSED)
  }
  return Buffer.concat([...parts, Buffer.from(']}')])
}

const CLOSED = Buffer.from('}')

function rounded(degrees: number): number {
  return Math.round(degrees * 10 ** DEGREE_DECIMALS) / 10 ** DEGREE_DECIMALS
}
