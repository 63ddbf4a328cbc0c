import type { PointColumns } from '../points/point-columns.ts'
import { downsampleTrack, type TrimmedEnd } from './downsample.ts'
import { elevationProfile, heightsAt } from './elevation.ts'
import { type ExaminedTrack, LEFT_OUT_CODES, leftOutPoints } from './examined-track.ts'
import { LEG_KINDS } from './legs.ts'
import type { SeriesExtreme, TrackSeries } from './schemas.ts'
import { STANDING_BELOW_MPS } from './speed.ts'
import { altitudeExtremes, type Extreme, type SpeedSource, speedExtreme } from './statistics.ts'
import { metersBetween, secondsBetween, type Trace } from './trace.ts'

/** Points that are left out are shown as marks; more of them would only hide the line. */
const MAX_LEFT_OUT = 1000

type GapReason = 'pause' | 'stop' | 'teleport'

/** A downsampled track in columns; NaN for absent values. */
type TrackSeriesColumns = ReturnType<typeof computeSeries>

const GAP_REASONS: Record<number, GapReason> = {
  [LEG_KINDS.paused]: 'pause',
  [LEG_KINDS.stopped]: 'stop',
  [LEG_KINDS.teleport]: 'teleport',
}

/** Returns position, altitude, speed and distance of at most `maxPoints` points chosen by `downsampleTrack`. */
export function computeSeries(points: PointColumns, track: ExaminedTrack, maxPoints: number) {
  const { trace, kinds, altitudes, starts } = track
  const profile = elevationProfile(altitudes)
  const smoothed = smoothedAltitudes(track, heightsAt(altitudes.timeMs, profile))
  const speeds = pointSpeeds(track)
  const distances = distanceSoFar(track)
  const extremes = { ...altitudeExtremes(track), fastest: speedExtreme(track).fastest }
  const marked = Object.values(extremes).flatMap((extreme) => extreme?.index ?? [])
  const kept = downsampleTrack({ trace, altitudes: smoothed, speeds, starts, marked }, maxPoints)
  const inSeries = (extreme: Extreme | undefined) =>
    extreme && { value: extreme.value, index: kept.indexOf(extreme.index) }
  return {
    pointsCount: points.count,
    pointsUsed: trace.count,
    timeMs: pick(trace.timeMs, kept),
    latitude: pick(trace.latitude, kept),
    longitude: pick(trace.longitude, kept),
    altitude: pick(trace.altitude, kept),
    // The heights in which climbs are counted; NaN for altitudes that are not used.
    altitudeSmoothed: pick(smoothed, kept),
    speedMps: pick(speeds, kept),
    distanceMeters: pick(distances, kept),
    // The extremes of the statistics, at the index of their point in the series.
    extremes: {
      lowest: inSeries(extremes.lowest),
      highest: inSeries(extremes.highest),
      fastest: inSeries(extremes.fastest),
    },
    gaps: gapsBetween(kinds, kept),
    // Long stops without a declared pause, and the distance travelled until each.
    stops: longStops(track).map(({ from, to }) => ({
      fromMs: trace.timeMs[from],
      toMs: trace.timeMs[to],
      distanceMeters: distances[from],
    })),
    leftOut: leftOutMarks(points, leftOutPoints(points, track)),
    speedSource: (track.ownSpeeds ? 'points' : 'positions') as SpeedSource,
    elevationMethod: profile.method,
  }
}

function smoothedAltitudes({ trace, altitudes }: ExaminedTrack, meters: Float64Array): Float64Array {
  const all = new Float64Array(trace.count).fill(Number.NaN)
  let next = 0
  for (let i = 0; i < trace.count && next < meters.length; i++) {
    if (altitudes.timeMs[next] === trace.timeMs[i]) all[i] = meters[next++]
  }
  return all
}

function distanceSoFar({ trace, kinds, legMeters }: ExaminedTrack): Float64Array {
  const meters = new Float64Array(trace.count)
  for (let i = 1; i < trace.count; i++) {
    meters[i] = meters[i - 1] + (kinds[i] === LEG_KINDS.travelled ? legMeters[i] : 0)
  }
  return meters
}

/** Returns the gaps between kept points, at the index of the later one; the first of several determines the reason. */
function gapsBetween(kinds: Uint8Array, kept: Int32Array) {
  const gaps: { index: number; reason: GapReason }[] = []
  for (let index = 1; index < kept.length; index++) {
    for (let i = kept[index - 1] + 1; i <= kept[index]; i++) {
      if (kinds[i] === LEG_KINDS.travelled) continue
      gaps.push({ index, reason: GAP_REASONS[kinds[i]] })
      break
    }
  }
  return gaps
}

function leftOutMarks(points: PointColumns, codes: Uint8Array) {
  const all: number[] = []
  for (let i = 0; i < codes.length; i++) if (codes[i] !== 0) all.push(i)
  const count = Math.min(all.length, MAX_LEFT_OUT)
  const shown = Int32Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)])
  return {
    timeMs: pick(points.timeMs, shown),
    latitude: pick(points.latitude, shown),
    longitude: pick(points.longitude, shown),
    reason: Array.from(shown, (index) => LEFT_OUT_CODES[codes[index]]!),
  }
}

function pick(column: Float64Array, indexes: Int32Array): Float64Array {
  return Float64Array.from(indexes, (index) => column[index])
}

/** Positions are compared over at least 5 s, half of it on each side, as for the moving time. */
const HALF_WINDOW_MS = 2500

/**
 * Returns the speed at each point in metres per second: the receiver's own if the track has reliable ones and the point
 * has one, otherwise the speed between the positions around it; NaN for a single point between two gaps.
 */
function pointSpeeds({ trace, starts, ownSpeeds }: ExaminedTrack): Float64Array {
  const speeds = new Float64Array(trace.count).fill(Number.NaN)
  for (let run = 0; run < starts.length; run++) {
    const end = run + 1 < starts.length ? starts[run + 1] : trace.count
    let from = starts[run]
    let to = starts[run]
    for (let i = starts[run]; i < end; i++) {
      while (from + 1 < i && trace.timeMs[from + 1] <= trace.timeMs[i] - HALF_WINDOW_MS) from++
      while (to < end - 1 && (to <= i || trace.timeMs[to] < trace.timeMs[i] + HALF_WINDOW_MS)) to++
      if (ownSpeeds && trace.speedMps[i] >= 0) speeds[i] = trace.speedMps[i]
      else if (to > from) speeds[i] = metersBetween(trace, from, to) / secondsBetween(trace, from, to)
    }
  }
  return speeds
}

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
    stops: series.stops.map(({ fromMs, toMs, distanceMeters }) => ({
      from_ms: fromMs,
      to_ms: toMs,
      distance_meters: rounded(distanceMeters, METER_DECIMALS),
    })),
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

/** Shorter stops are crossings, gates and photographs. */
const MIN_STOP_SEC = 180

/** Positions are compared this long before and after: over seconds, those of a phone that lies still outrun a walk. */
const HALF_WINDOW_SEC = 60

/** The ends of a slow climb are farther apart. */
const MAX_STOP_METERS = 100

/** Positions of a phone at rest wander no farther. */
const PLACE_METERS = 25

/** A long stop without a declared pause: the indexes of its first and last point in the trace. */
type Stop = { from: number; to: number }

/**
 * Returns the stops of three minutes and more that no declared pause covers, in order: times in which nobody gets far
 * within two minutes, or in which the recorder was interrupted, see `stoppedLegs`. Other figures do not depend on them.
 */
export function longStops({ trace, kinds }: ExaminedTrack): Stop[] {
  const isLongStop = ({ from, to }: Stop) =>
    secondsBetween(trace, from, to) >= MIN_STOP_SEC &&
    (metersBetween(trace, from, to) <= MAX_STOP_METERS || kinds.subarray(from + 1, to + 1).includes(LEG_KINDS.stopped))
  return stillStretches(trace, kinds).filter(isLongStop)
}

/** Returns the stretches without way, those that touch as one. */
function stillStretches(trace: Trace, kinds: Uint8Array): Stop[] {
  const still = stillLegs(trace, kinds)
  const stretches: Stop[] = []
  for (let from = 0, to = 0; from < trace.count - 1; from = Math.max(to, from + 1)) {
    to = from
    while (to + 1 < trace.count && still[to + 1] === 1) to++
    if (secondsBetween(trace, from, to) < MIN_STOP_SEC - 2 * HALF_WINDOW_SEC) continue
    const stretch = widened(trace, kinds, { from, to })
    const before = stretches.at(-1)
    if (before !== undefined && stretch.from <= before.to) before.to = stretch.to
    else stretches.push(stretch)
  }
  return stretches
}

/** Marks each leg around which there is no way with 1, at the index of the point where it ends. */
function stillLegs(trace: Trace, kinds: Uint8Array): Uint8Array {
  const still = new Uint8Array(trace.count)
  let from = 0
  let to = 0
  for (let i = 1; i < trace.count; i++) {
    const middleMs = (trace.timeMs[i - 1] + trace.timeMs[i]) / 2
    while (from + 1 < i && trace.timeMs[from] < middleMs - HALF_WINDOW_SEC * 1000) from++
    while (to < i || (to + 1 < trace.count && trace.timeMs[to + 1] <= middleMs + HALF_WINDOW_SEC * 1000)) to++
    const isSlow = metersBetween(trace, from, to) < STANDING_BELOW_MPS.walk * secondsBetween(trace, from, to)
    if (kinds[i] === LEG_KINDS.stopped || (kinds[i] === LEG_KINDS.travelled && isSlow)) still[i] = 1
  }
  return still
}

/** Takes in both ends of a stretch, where part of the time that was compared was on the way. */
function widened(trace: Trace, kinds: Uint8Array, { from, to }: Stop): Stop {
  const isSamePlace = (one: number, other: number) =>
    secondsBetween(trace, one, other) <= HALF_WINDOW_SEC && metersBetween(trace, one, other) <= PLACE_METERS
  let [first, last] = [from, to]
  while (first > 0 && kinds[first] === LEG_KINDS.travelled && isSamePlace(first - 1, from)) first--
  while (last + 1 < trace.count && kinds[last + 1] === LEG_KINDS.travelled && isSamePlace(to, last + 1)) last++
  return { from: first, to: last }
}
