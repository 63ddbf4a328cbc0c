import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { METERS_PER_DEGREE } from './trace.ts'

/** The line of a course as columns of one length. */
export type CourseLine = {
  latitude: Float64Array
  longitude: Float64Array
  /** Metres; NaN where the file has none. */
  altitude: Float64Array
  /** Metres from the beginning, along the line as it was uploaded. */
  distanceM: Float64Array
}

const COLUMNS = ['latitude', 'longitude', 'altitude', 'distanceM'] as const

/** Encodes a line for storage: its columns one after another, compressed. */
export function encodeCourseLine(line: CourseLine): Uint8Array {
  const count = line.latitude.length
  const values = new Float64Array(count * COLUMNS.length)
  for (const [i, column] of COLUMNS.entries()) values.set(line[column], i * count)
  return deflateRawSync(new Uint8Array(values.buffer))
}

/** Decodes what `encodeCourseLine` wrote. */
export function decodeCourseLine(bytes: Uint8Array): CourseLine {
  const values = new Float64Array(new Uint8Array(inflateRawSync(bytes)).buffer)
  const count = values.length / COLUMNS.length
  const column = (i: number) => values.subarray(i * count, (i + 1) * count)
  return { latitude: column(0), longitude: column(1), altitude: column(2), distanceM: column(3) }
}

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
