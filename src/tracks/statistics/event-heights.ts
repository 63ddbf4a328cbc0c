import type { AltitudeRuns } from './altitudes.ts'
import { type CourseLine, heightsOfLine } from './course-line.ts'
import { DEVIATIONS_PER_MEDIAN, type Trace, upperMedian } from './trace.ts'

// The heights of a way from the phones of all who went along it: what differs between them is error, which their mean
// has less of. Nobody's track can be told from it: each of at least MIN_PEOPLE counts alike at every place.

/** Heights are compared every so many metres of a way, or further apart on one that would have too many places. */
const STEP_METERS = 20
const MAX_PLACES = 20_000
/** Places between two altitudes of a phone have a height if they are no more than this. */
const MAX_BETWEEN = 5
/** The least number of people at a place, so that no height tells of one of them. */
const MIN_PEOPLE = 5
/** A phone tells nothing with heights at fewer places, or with a larger error. */
const LEAST_PLACES = 30
const MAX_ERROR_METERS = 15
/** Rounds after which the constant errors of phones no longer change much. */
const ROUNDS = 4
/** The least error of the heights of a course. */
const LEAST_COURSE_METERS = 0.5

/** Returns a line as places at even distances along it, at least two; a height is NaN where its neighbours are. */
export function evenLine(line: CourseLine): CourseLine {
  const { distanceM } = line
  const length = distanceM[distanceM.length - 1]
  const steps = Math.min(MAX_PLACES - 1, Math.max(1, Math.round(length / STEP_METERS)))
  const even: CourseLine = {
    latitude: new Float64Array(steps + 1),
    longitude: new Float64Array(steps + 1),
    altitude: new Float64Array(steps + 1),
    distanceM: new Float64Array(steps + 1),
  }
  for (let place = 0, leg = 1; place <= steps; place++) {
    const at = (place / steps) * length
    while (leg < distanceM.length - 1 && distanceM[leg] < at) leg++
    const part = Math.min(1, (at - distanceM[leg - 1]) / (distanceM[leg] - distanceM[leg - 1]))
    for (const name of ['latitude', 'altitude'] as const) {
      even[name][place] = line[name][leg - 1] + part * (line[name][leg] - line[name][leg - 1])
    }
    const degreesEast = line.longitude[leg] - line.longitude[leg - 1]
    even.longitude[place] = line.longitude[leg - 1] + part * (degreesEast - 360 * Math.round(degreesEast / 360))
    even.distanceM[place] = at
  }
  return even
}

/** Returns a function for the altitudes of a track: their mean at each place of an even line, NaN where it was not. */
export function heightsAlong(line: CourseLine): (altitudes: AltitudeRuns, trace: Trace) => Float64Array {
  const count = line.distanceM.length
  const stepMeters = line.distanceM[count - 1] / (count - 1)
  // A line whose heights are its distances tells how far along it a position is.
  const distances = heightsOfLine({ ...line, altitude: line.distanceM })
  return ({ timeMs, meters }, trace) => {
    const sums = new Float64Array(count)
    const found = new Int32Array(count)
    const distanceAt = distances.along()
    for (let i = 0, at = 0; i < meters.length; i++, at++) {
      while (trace.timeMs[at] < timeMs[i]) at++
      const near = distanceAt(trace.latitude[at], trace.longitude[at])
      if (near === undefined || near.share < 1) continue
      const place = Math.round(near.meters / stepMeters)
      sums[place] += meters[i]
      found[place]++
    }
    return fillShortGaps(sums.map((sum, place) => (found[place] === 0 ? Number.NaN : sum / found[place])))
  }
}

function fillShortGaps(heights: Float64Array): Float64Array {
  let last = Number.NaN
  for (let place = 0; place < heights.length; place++) {
    if (Number.isNaN(heights[place])) continue
    if (place - last <= MAX_BETWEEN + 1) {
      const rise = (heights[place] - heights[last]) / (place - last)
      for (let between = last + 1; between < place; between++) heights[between] = heights[between - 1] + rise
    }
    last = place
  }
  return heights
}

/**
 * Returns the heights of an even line from its own and those of people's phones by `heightsAlong`, one phone for each;
 * its own where too few have been. Phones and line are weighted by the inverse variances of their errors, which their
 * differences show. Constant errors of phones do not count: the level is that of the line. Undefined if phones tell
 * nothing.
 */
export function eventHeights(line: CourseLine, phones: readonly Float64Array[]): Float64Array | undefined {
  const known = phones.filter((heights) => differences(heights, line.altitude).length >= LEAST_PLACES)
  // The first round compares phones with the line: one that is far off would spoil the mean of all.
  let mean = line.altitude
  let used: Float64Array[] = []
  let people: Int32Array = new Int32Array(mean.length)
  for (let round = 0; round < ROUNDS; round++) {
    used = known.flatMap((heights) => {
      const apart = differences(heights, mean)
      const constant = median(apart.slice())
      return deviation(apart) > MAX_ERROR_METERS ? [] : [heights.map((meters) => meters - constant)]
    })
    people = countAt(used, mean.length)
    mean = meanOf(used, people)
  }
  const apart = differences(mean, line.altitude)
  if (apart.length < LEAST_PLACES) return undefined
  const phoneVariance = used.reduce((sum, heights) => sum + deviation(differences(heights, mean)) ** 2, 0) / used.length
  const usualPeople = median(Float64Array.from(people.filter((count) => count >= MIN_PEOPLE)))
  const lineVariance = Math.max(LEAST_COURSE_METERS ** 2, deviation(apart) ** 2 - phoneVariance / usualPeople)
  const levelMeters = median(apart.slice())
  return line.altitude.map((own, place) => {
    if (Number.isNaN(mean[place])) return own
    const weight = lineVariance / (lineVariance + phoneVariance / people[place])
    const common = mean[place] - levelMeters
    return Number.isNaN(own) ? common : own + weight * (common - own)
  })
}

function countAt(phones: readonly Float64Array[], places: number): Int32Array {
  const people = new Int32Array(places)
  for (const heights of phones) for (let i = 0; i < places; i++) if (!Number.isNaN(heights[i])) people[i]++
  return people
}

/** Returns the mean of heights at each place; NaN where too few people have one. */
function meanOf(phones: readonly Float64Array[], people: Int32Array): Float64Array {
  const mean = new Float64Array(people.length)
  for (const heights of phones) {
    for (let i = 0; i < mean.length; i++) if (!Number.isNaN(heights[i])) mean[i] += heights[i] / people[i]
  }
  return mean.map((meters, i) => (people[i] < MIN_PEOPLE ? Number.NaN : meters))
}

/** Returns the differences where both are known. */
function differences(some: Float64Array, others: Float64Array): Float64Array {
  return some.map((meters, i) => meters - others[i]).filter((meters) => !Number.isNaN(meters))
}

/** Returns the median, of none 0. */
function median(values: Float64Array): number {
  return values.length === 0 ? 0 : upperMedian(values)
}

/** Returns the standard deviation that the median of absolute deviations shows. */
function deviation(apart: Float64Array): number {
  const middle = median(apart.slice())
  return DEVIATIONS_PER_MEDIAN * median(apart.map((meters) => Math.abs(meters - middle)))
}
