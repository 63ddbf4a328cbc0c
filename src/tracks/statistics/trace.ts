import type { PointColumns } from '../points/point-columns.ts'

/** The columns that statistics read. In the trace of `acceptedPoints` the times are strictly ascending. */
export type Trace = Pick<
  PointColumns,
  'count' | 'timeMs' | 'latitude' | 'longitude' | 'altitude' | 'accuracy' | 'speedMps'
>

/**
 * Returns the points at the first `count` indexes of `kept`, in that order; the same object when that is all of them.
 */
export function selectPoints(trace: Trace, kept: Int32Array, count: number): Trace {
  if (count === trace.count) return trace
  const select = (column: Float64Array) => {
    const selected = new Float64Array(count)
    for (let i = 0; i < count; i++) selected[i] = column[kept[i]]
    return selected
  }
  return {
    count,
    timeMs: select(trace.timeMs),
    latitude: select(trace.latitude),
    longitude: select(trace.longitude),
    altitude: select(trace.altitude),
    accuracy: select(trace.accuracy),
    speedMps: select(trace.speedMps),
  }
}

/** Returns the seconds from point `from` to point `to`. */
export function secondsBetween(trace: Trace, from: number, to: number): number {
  return (trace.timeMs[to] - trace.timeMs[from]) / 1000
}

/**
 * Mean radius of the earth, (2a + b) / 3 of WGS 84, as defined by the IUGG (Moritz, "Geodetic Reference System 1980",
 * Journal of Geodesy 74, 2000). The equatorial radius that Traccar and gpxpy use is 0.1 % longer everywhere; formulas
 * on the ellipsoid are no closer to the totals of devices.
 */
export const EARTH_RADIUS_METERS = 6_371_008.8
/** Length of a degree of latitude. */
export const METERS_PER_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180

/** Returns a difference of longitudes the short way around the earth. */
export function shortWay(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360)
}

const RADIANS_PER_DEGREE = Math.PI / 180

/**
 * Returns the distance in metres over the surface, without height, by the haversine formula (Sinnott, "Virtues of the
 * Haversine", Sky and Telescope 68, 1984), which stays exact for the short legs of a track. Always finite, also at the
 * poles and across the antimeridian.
 */
export function distanceMeters(fromLatitude: number, fromLongitude: number, latitude: number, longitude: number) {
  const sinLatitude = Math.sin(((latitude - fromLatitude) * RADIANS_PER_DEGREE) / 2)
  const sinLongitude = Math.sin(((longitude - fromLongitude) * RADIANS_PER_DEGREE) / 2)
  const cosines = Math.cos(fromLatitude * RADIANS_PER_DEGREE) * Math.cos(latitude * RADIANS_PER_DEGREE)
  const haversine = sinLatitude * sinLatitude + cosines * sinLongitude * sinLongitude
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(Math.min(1, haversine)))
}

/** Returns the distance in metres between two points of a trace. */
export function metersBetween(trace: Trace, from: number, to: number): number {
  return distanceMeters(trace.latitude[from], trace.longitude[from], trace.latitude[to], trace.longitude[to])
}

/** Returns the length of each leg in metres, at the index of the point where it ends; 0 at the first point. */
export function legDistances(trace: Trace): Float64Array {
  const meters = new Float64Array(trace.count)
  for (let i = 1; i < trace.count; i++) meters[i] = metersBetween(trace, i - 1, i)
  return meters
}

/**
 * Rounds after which the values are sorted instead, so an order made to defeat the selection costs no more than a sort.
 */
const MAX_ROUNDS = 64

/**
 * Returns the middle value, or the larger of two; NaN without values. Reorders `values`. Hoare's selection
 * (Communications of the ACM 4, 1961), because sorting is the slowest step of all statistics.
 */
export function upperMedian(values: Float64Array): number {
  const middle = values.length >> 1
  let low = 0
  let high = values.length - 1
  for (let round = 0; low < high; round++) {
    if (round === MAX_ROUNDS) {
      values.subarray(low, high + 1).sort()
      break
    }
    const pivot = middleOfThree(values[low], values[(low + high) >> 1], values[high])
    let left = low
    let right = high
    while (left <= right) {
      while (values[left] < pivot) left++
      while (values[right] > pivot) right--
      if (left > right) break
      const value = values[left]
      values[left++] = values[right]
      values[right--] = value
    }
    if (middle <= right) high = right
    else if (middle >= left) low = left
    else break
  }
  return values.length === 0 ? Number.NaN : values[middle]
}

/**
 * Scales the median of absolute deviations to a standard deviation, for normal errors (Rousseeuw and Croux, JASA 88,
 * 1993).
 */
export const DEVIATIONS_PER_MEDIAN = 1.4826

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
