import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { visitClimbs } from '../statistics/elevation/elevation-gain.ts'
import { distanceMeters } from '../statistics/trace/distance.ts'

/** The line of a course as columns of one length. */
export type CourseLine = {
  latitude: Float64Array
  longitude: Float64Array
  /** Metres; NaN where the file has none. */
  altitude: Float64Array
  /** Metres from the beginning, along the line as it was uploaded. */
  distanceM: Float64Array
}

/** Altitudes of planned courses are taken from elevation models; reversals smaller than this are their noise. */
const CLIMB_REVERSAL_METERS = 3

const COLUMNS = ['latitude', 'longitude', 'altitude', 'distanceM'] as const

/** Returns the distance of each place from the first one along the line, in metres. */
export function distancesAlong(latitude: Float64Array, longitude: Float64Array): Float64Array {
  const distanceM = new Float64Array(latitude.length)
  for (let i = 1; i < latitude.length; i++) {
    distanceM[i] = distanceM[i - 1] + distanceMeters(latitude[i - 1], longitude[i - 1], latitude[i], longitude[i])
  }
  return distanceM
}

/** Returns the length of a course in metres. */
export function courseLength({ distanceM }: Pick<CourseLine, 'distanceM'>): number {
  return distanceM.length === 0 ? 0 : distanceM[distanceM.length - 1]
}

/** Returns the metres climbed along a course; null if it has fewer than two altitudes. */
export function courseClimb({ altitude }: Pick<CourseLine, 'altitude'>): number | null {
  const meters = altitude.filter((value) => !Number.isNaN(value))
  if (meters.length < 2) return null
  let climbM = 0
  const profile = { meters, reversalMeters: CLIMB_REVERSAL_METERS }
  visitClimbs(profile, Int32Array.of(0, meters.length), (from, to) => {
    climbM += Math.max(0, meters[to] - meters[from])
  })
  return climbM
}

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
