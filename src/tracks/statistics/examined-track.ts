import type { TrackRow } from '../model/tables.ts'
import type { ActivityType, Pause } from '../model/track-state.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { type AltitudeReference, aboveSeaLevel, type KnownReference, knownReference } from '../points/sea-level.ts'
import { altitudeRuns, removeAltitudeSpikes } from './altitudes.ts'
import type { KnownHeights } from './course-line.ts'
import { besideKnown, fuseHeights, referenceByHeights } from './fused-heights.ts'
import { type FittedRuns, fitted } from './height-fit.ts'
import { legKinds, travelledRuns } from './legs.ts'
import { hasOwnSpeeds, medianSpeedMps, plausibleSpeedMps, removeSpikes } from './speed.ts'
import { legDistances, selectPoints, type Trace } from './trace.ts'

export type StatisticsSettings = {
  activityType: ActivityType
  /** Points with a known accuracy worse than this are left out; 0 = none are. */
  maxAccuracyMeters: number
  /** Zero of the altitudes of points that do not say it themselves; unknown if absent. */
  altitudeReference?: AltitudeReference | null
  /** The heights of the event's course, for tracks along it. */
  course?: KnownHeights | undefined
  /** The heights of the terrain, for tracks that are not along the course. */
  terrain?: KnownHeights | undefined
}

/** Returns the settings for a track. */
export function settingsOf(row: TrackRow, maxAccuracyMeters: number): StatisticsSettings {
  return { activityType: row.activity_type, altitudeReference: row.altitude_reference, maxAccuracyMeters }
}

/** The common basis of statistics, splits and profiles, so that they agree. */
export type ExaminedTrack = {
  accepted: AcceptedPoints
  /** The points that are used, with strictly rising times. */
  trace: Trace
  /** Index in the accepted trace of each point that is used. */
  indexes: Int32Array
  pauses: readonly Pause[]
  /** Number of points of excursions that return faster than anyone moves. */
  spikes: number
  /** Length and kind of each leg, at the index of the point where it ends. */
  legMeters: Float64Array
  kinds: Uint8Array
  /** First points of the runs of travelled legs. */
  starts: Int32Array
  medianMps: number
  /** Speeds above this are not plausible. */
  limitMps: number
  /** Above sea level, as far as their zero is known. */
  altitudes: FittedRuns
  altitudeReference: KnownReference | undefined
  /** True when the points carry reliable speeds. */
  ownSpeeds: boolean
}

/**
 * Determines the reliable points of a track and the kinds of its legs. The points are in canonical order; the pauses
 * are in order and do not overlap, an open one with `toMs` Infinity.
 */
export function examineTrack(
  points: PointColumns,
  pauses: readonly Pause[],
  settings: StatisticsSettings,
): ExaminedTrack {
  const { activityType, maxAccuracyMeters, altitudeReference = null, course, terrain } = settings
  const accepted = acceptedPoints(aboveSeaLevel(points, altitudeReference), maxAccuracyMeters)
  const acceptedLegs = legDistances(accepted.trace)
  const medianMps = medianSpeedMps(accepted.trace, acceptedLegs)
  const limitMps = plausibleSpeedMps(activityType, medianMps)
  const { trace, indexes, legMeters, spikes } = removeSpikes(accepted.trace, acceptedLegs, limitMps)
  const kinds = legKinds(trace, legMeters, { pauses, activityType, medianMps })
  const ownAltitudes = removeAltitudeSpikes(altitudeRuns(trace, kinds, legMeters))
  const besides = [course, terrain].flatMap((known) => (known && besideKnown(ownAltitudes, trace, known)) ?? [])
  const sentReference = knownReference(points, altitudeReference)
  const reference = sentReference ?? firstOf(besides, (beside) => referenceByHeights(beside, trace))
  // Altitudes that turn out to be above the ellipsoid are examined again as such.
  if (sentReference === undefined && reference?.sent === 'ellipsoid') {
    const converted = examineTrack(points, pauses, { ...settings, altitudeReference: 'ellipsoid' })
    return { ...converted, altitudeReference: reference }
  }
  const own = besides.length === 0 ? ownAltitudes : fitted(ownAltitudes)
  return {
    accepted,
    trace,
    indexes,
    pauses,
    spikes,
    legMeters,
    kinds,
    starts: travelledRuns(kinds),
    medianMps,
    limitMps,
    altitudes: firstOf(besides, (beside) => fuseHeights(own, beside)) ?? own,
    altitudeReference: reference,
    ownSpeeds: hasOwnSpeeds(trace),
  }
}

/** Returns the first answer to a question about each of several things. */
function firstOf<Thing, Answer>(things: readonly Thing[], ask: (thing: Thing) => Answer | undefined) {
  for (const thing of things) {
    const answer = ask(thing)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Statistics need a leg, so a filter that would leave fewer points than this is not applied. */
const MIN_POINTS = 2

type AcceptedPoints = {
  trace: Trace
  /** Index among all points of each point of the trace. */
  indexes: Int32Array
  /** Points left out because another one has the same time. */
  sameTime: number
  /** Points left out because their accuracy is worse than the limit. */
  inaccurate: number
}

/**
 * Returns the points that statistics use: one for each timestamp, none with a known accuracy worse than
 * `maxAccuracyMeters` (0 = any). The selection depends only on the points, not on the order of their arrival.
 */
export function acceptedPoints(points: PointColumns, maxAccuracyMeters: number): AcceptedPoints {
  const limit = maxAccuracyMeters > 0 ? maxAccuracyMeters : Number.POSITIVE_INFINITY
  const kept = new Int32Array(points.count)
  const distinct = keepBestOfEachTime(points, limit, kept)
  const accurate = countAccurate(points, limit, kept, distinct)
  const sameTime = points.count - distinct
  if (accurate === distinct || accurate < MIN_POINTS) {
    return { trace: selectPoints(points, kept, distinct), indexes: kept.subarray(0, distinct), sameTime, inaccurate: 0 }
  }
  const trace = keepAccurate(points, limit, kept, distinct)
  return { trace, indexes: kept.subarray(0, accurate), sameTime, inaccurate: distinct - accurate }
}

/**
 * Returns the expected error. Phones send a negative one, or none, for unknown, which ranks after every accepted error.
 */
function errorMeters(points: Trace, index: number, limit: number): number {
  const accuracy = points.accuracy[index]
  return accuracy >= 0 ? accuracy : limit
}

/** Writes the best point of each time to `kept`, the first of equally good ones, and returns their number. */
function keepBestOfEachTime(points: Trace, limit: number, kept: Int32Array): number {
  let count = 0
  for (let i = 0; i < points.count; i++) {
    if (count === 0 || points.timeMs[i] !== points.timeMs[kept[count - 1]]) kept[count++] = i
    else if (errorMeters(points, i, limit) < errorMeters(points, kept[count - 1], limit)) kept[count - 1] = i
  }
  return count
}

function countAccurate(points: Trace, limit: number, kept: Int32Array, count: number): number {
  let accurate = 0
  for (let i = 0; i < count; i++) if (errorMeters(points, kept[i], limit) <= limit) accurate++
  return accurate
}

function keepAccurate(points: Trace, limit: number, kept: Int32Array, count: number): Trace {
  let accurate = 0
  for (let i = 0; i < count; i++) {
    if (errorMeters(points, kept[i], limit) <= limit) kept[accurate++] = kept[i]
  }
  return selectPoints(points, kept, accurate)
}

/** Reasons why statistics leave a point out. */
export const LEFT_OUT_REASONS = ['same_time', 'inaccurate', 'spike'] as const

/** Reasons for leaving a point out, by the codes of `leftOutPoints`; the first is for points that are used. */
export const LEFT_OUT_CODES = [undefined, ...LEFT_OUT_REASONS] as const

const SAME_TIME = 1
const INACCURATE = 2
const SPIKE = 3

/** Returns the reason for leaving each point out as an index into `LEFT_OUT_CODES`; 0 for points that are used. */
export function leftOutPoints(points: PointColumns, { accepted, indexes }: ExaminedTrack): Uint8Array {
  const codes = new Uint8Array(points.count).fill(SAME_TIME)
  for (const index of accepted.indexes) codes[index] = SPIKE
  for (const index of indexes) codes[accepted.indexes[index]] = 0
  for (let start = 0, end = 0; start < points.count; start = end) {
    while (end < points.count && points.timeMs[end] === points.timeMs[start]) end++
    const best = bestIfNoneAccepted(points, codes, start, end)
    if (best !== undefined) codes[best] = INACCURATE
  }
  return codes
}

/** Returns the best of the points of one time, which was not accurate enough; undefined when one was accepted. */
function bestIfNoneAccepted(points: PointColumns, codes: Uint8Array, start: number, end: number): number | undefined {
  let best = start
  for (let i = start; i < end; i++) {
    if (codes[i] !== SAME_TIME) return undefined
    if (points.accuracy[i] < points.accuracy[best]) best = i
  }
  return best
}
