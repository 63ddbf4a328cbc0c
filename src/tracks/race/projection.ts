import { EARTH_RADIUS_METERS } from '../statistics/trace/distance.ts'

const METERS_PER_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180

/** Places in metres east and north of the middle of a course. */
export type Projection = {
  x(longitude: number): number
  y(latitude: number): number
  /** Returns the coordinates of a place in the plane, to 1 cm. */
  place(x: number, y: number): { latitude: number; longitude: number }
  columns(places: { latitude: Float64Array; longitude: Float64Array }): { x: Float64Array; y: Float64Array }
}

/**
 * Returns the plane in which a course is compared with tracks: the equirectangular projection around the middle of its
 * latitudes. Within 50 km north and south, lengths are true to 1% up to 50 degrees of latitude, which is
 * enough to compare distances of some metres; lengths of the course itself are measured on the sphere.
 * Lines across the antimeridian stay whole.
 */
export function projectionFor({
  latitude,
  longitude,
}: {
  latitude: Float64Array
  longitude: Float64Array
}): Projection {
  let [south, north] = [90, -90]
  for (const value of latitude) {
    south = Math.min(south, value)
    north = Math.max(north, value)
  }
  const middle = (south + north) / 2
  const [first] = longitude
  // At a pole itself the plane would have no width.
  const metersPerLongitude = METERS_PER_DEGREE * Math.max(0.001, Math.cos((middle * Math.PI) / 180))
  const x = (value: number) => wrapped(value - first) * metersPerLongitude
  const y = (value: number) => (value - middle) * METERS_PER_DEGREE
  const place = (east: number, north: number) => ({
    latitude: rounded(middle + north / METERS_PER_DEGREE),
    longitude: rounded(wrapped(first + east / metersPerLongitude)),
  })
  return { x, y, place, columns: (places) => ({ x: places.longitude.map(x), y: places.latitude.map(y) }) }
}

function wrapped(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360)
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}
