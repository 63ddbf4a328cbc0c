import { geoidHeightMeters, type KnownReference } from '../points/sea-level.ts'
import { type AltitudeRuns, MIN_ALTITUDES } from './altitudes.ts'
import type { KnownHeights } from './course-line.ts'
import type { FittedRuns } from './height-fit.ts'
import { DEVIATIONS_PER_MEDIAN, type Trace, upperMedian } from './trace.ts'

/** The altitudes of a track beside known heights: NaN and 0 where none is known. */
type BesideKnown = Pick<KnownHeights, 'source' | 'errorMeters'> & {
  /** Metres by which an altitude of the track is above the known height. */
  aboveMeters: Float64Array
  /** Share of each that counts as on the course, from 0 to 1. */
  share: Float64Array
  /** The known ones of `aboveMeters`, in no order. */
  differences: Float64Array
  /** Median of `aboveMeters`: their common part, such as another zero or a receiver's own error. */
  medianMeters: number
}

/** A track with less of its altitudes at places of known height is not one along this course, or on this terrain. */
const LEAST_PART = 0.5

/** Returns the altitudes beside known heights; undefined if too few are known. */
export function besideKnown(altitudes: AltitudeRuns, trace: Trace, known: KnownHeights): BesideKnown | undefined {
  const { timeMs, meters } = altitudes
  const aboveMeters = new Float64Array(meters.length).fill(Number.NaN)
  const share = new Float64Array(meters.length)
  const differences = new Float64Array(meters.length)
  const heightAt = known.along()
  let found = 0
  for (let i = 0, at = 0; i < meters.length; i++, at++) {
    while (trace.timeMs[at] < timeMs[i]) at++
    const height = heightAt(trace.latitude[at], trace.longitude[at])
    if (height === undefined) continue
    aboveMeters[i] = differences[found++] = meters[i] - height.meters
    share[i] = height.share
  }
  if (found < MIN_ALTITUDES || found < LEAST_PART * meters.length) return undefined
  const { source, errorMeters } = known
  const all = differences.subarray(0, found)
  return { source, errorMeters, aboveMeters, share, differences: all, medianMeters: upperMedian(all) }
}

/** Standard deviation of the constant error of a phone's altitudes in a recording. */
const BIAS_METERS = 6
/** A median further from both zeros says that the known heights have another one. */
const FAR_METERS = 25
/** The odds from which evidence decides: 50 to 1. */
const DECISIVE = Math.log(50)

/**
 * Returns the zero of altitudes that do not tell theirs, from their median distance to known heights, which are above
 * the sea; undefined if that could be either. The logarithm of the odds is from two normal distributions around both
 * zeros.
 */
export function referenceByHeights({ source, medianMeters }: BesideKnown, trace: Trace): KnownReference | undefined {
  const middle = trace.count >> 1
  const geoid = geoidHeightMeters(trace.latitude[middle], trace.longitude[middle])
  if (Math.min(Math.abs(medianMeters), Math.abs(medianMeters - geoid)) > FAR_METERS) return undefined
  const odds = (geoid * (2 * medianMeters - geoid)) / (2 * BIAS_METERS ** 2)
  if (Math.abs(odds) < DECISIVE) return undefined
  return { sent: odds > 0 ? 'ellipsoid' : 'sea_level', source: source === 'terrain' ? source : 'course' }
}

/** Beyond this many times the doubt of both, track and heights are not of one place: a bridge, a wrong file. */
const TOLERANCE = 1.5
/** The doubt of exact heights, because positions are beside them. */
const LEAST_DOUBT_METERS = 2
/**
 * Single differences count less and less beyond this many deviations, and not at all beyond the second: a bridge, a
 * tunnel. Up to the first they count in full, or the larger errors of a phone would stay.
 */
const FADING_DEVIATIONS = 2.8
const MOST_DEVIATIONS = 4.7
/**
 * Heights with a smaller part in the mean are left out: those nearly as wrong as the track's own bring errors that look
 * like hills, because they stay alike along the way.
 */
const LEAST_WEIGHT = 0.6
/** The least deviation of differences, in usual errors of the known heights. */
const LEAST_SPREAD_PART = 0.5
/** Heights that are further from the track as a whole have another zero, so the track keeps its own. */
const SAME_ZERO_METERS = 15

/**
 * Returns fitted altitudes as the mean of the track's and the known heights, weighted by the inverse variances of their
 * errors; undefined if they do not agree within their doubt, or the known ones would hardly help: the track's are few,
 * exact or nearly as good, or hills are lower than the known error.
 */
export function fuseHeights({ fit, ...altitudes }: FittedRuns, beside: BesideKnown): AltitudeRuns | undefined {
  if (fit?.model === undefined) return undefined
  const { medianMeters, errorMeters: knownMeters } = beside
  const { errorMeters, slope, slopeMeters } = fit.model
  if (slope * slopeMeters < knownMeters) return undefined
  const apartMeters = DEVIATIONS_PER_MEDIAN * upperMedian(distances(beside))
  const doubtMeters = Math.hypot(errorMeters, Math.max(knownMeters, LEAST_DOUBT_METERS))
  if (apartMeters > TOLERANCE * doubtMeters) return undefined
  // Slow errors escape the fit.
  const ownMeters = Math.max(errorMeters, Math.sqrt(Math.max(0, apartMeters ** 2 - knownMeters ** 2)))
  const weight = ownMeters ** 2 / (ownMeters ** 2 + knownMeters ** 2)
  if (weight < LEAST_WEIGHT) return undefined
  const spreadMeters = Math.max(apartMeters, LEAST_SPREAD_PART * knownMeters)
  const zeroMeters = Math.abs(medianMeters) < SAME_ZERO_METERS ? medianMeters : 0
  const meters = meansOf(altitudes, beside, { weight, spreadMeters, zeroMeters })
  return { ...altitudes, meters, source: beside.source }
}

function distances({ differences, medianMeters }: BesideKnown): Float64Array {
  const meters = new Float64Array(differences.length)
  for (let i = 0; i < meters.length; i++) meters[i] = Math.abs(differences[i] - medianMeters)
  return meters
}

/**
 * `weight` is the weight of known heights, `spreadMeters` the deviation of the differences, and `zeroMeters` the height
 * of the track's zero above the zero of known heights.
 */
type Mean = { weight: number; spreadMeters: number; zeroMeters: number }

// Callbacks for each of so many altitudes would take several times as long.
function meansOf(
  { meters }: AltitudeRuns,
  { aboveMeters, share, medianMeters }: BesideKnown,
  mean: Mean,
): Float64Array {
  const { weight, spreadMeters, zeroMeters } = mean
  const means = new Float64Array(meters.length)
  for (let i = 0; i < meters.length; i++) {
    const above = share[i] === 0 ? 0 : aboveMeters[i] - medianMeters
    const beyond = (MOST_DEVIATIONS - Math.abs(above) / spreadMeters) / (MOST_DEVIATIONS - FADING_DEVIATIONS)
    const agreement = Math.min(1, Math.max(0, beyond))
    means[i] = meters[i] - zeroMeters - weight * share[i] * agreement * above
  }
  return means
}
