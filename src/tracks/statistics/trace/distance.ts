import type { Trace } from './trace.ts'

/**
 * Mean radius of the earth, (2a + b) / 3 of WGS 84, as defined by the IUGG (Moritz, "Geodetic Reference System 1980",
 * Journal of Geodesy 74, 2000). The equatorial radius that Traccar and gpxpy use is 0.1 % longer everywhere; formulas
 * on the ellipsoid are no closer to the totals of devices.
 */
export const EARTH_RADIUS_METERS = 6_371_008.8

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
