import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { METERS_PER_DEGREE, shortWay } from './trace.ts'

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
  const x = (value: number) => shortWay(value - first) * metersPerLongitude
  const y = (value: number) => (value - middle) * METERS_PER_DEGREE
  const place = (east: number, north: number) => ({
    latitude: rounded(middle + north / METERS_PER_DEGREE),
    longitude: rounded(shortWay(first + east / metersPerLongitude)),
  })
  return { x, y, place, columns: (places) => ({ x: places.longitude.map(x), y: places.latitude.map(y) }) }
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}

/** Positions further from the course than this are not on it; nearer ones count less and less from the first on. */
const NEAR_METERS = 25
const AWAY_METERS = 50
const FADING_METERS = AWAY_METERS - NEAR_METERS
/** A course may pass a place several times. The pass that follows the last one is preferred by so much. */
const OTHER_PASS_METERS = 20
/** Legs around the last one that belong to the same pass. */
const SAME_PASS_LEGS = 20
/** Legs after the last one on which the next position mostly is. */
const NEXT_LEGS = 3

/** The known height of a place, and how much a position there counts as on the course, from 0 to 1. */
type KnownHeight = { meters: number; share: number }

/** The source of the heights of a course: its file alone, or phones of the event as well. */
type HeightSource = 'course' | 'event'

/** The line of a course as `encodeCourseLine` writes it, with heights. */
export type StoredHeights = { line: Uint8Array; source: HeightSource }

/** Usual error of the heights of a course in metres: they are from maps, and positions are beside it. */
const USUAL_ERROR_METERS = 2

/** Heights that are known of places: along a course, or of the terrain. */
export type KnownHeights = {
  source: HeightSource | 'terrain'
  /** Their usual standard deviation in metres. */
  errorMeters: number
  /**
   * Returns a function for the positions of one track, in their order. It returns undefined where no height is
   * known: away from the course, or where it has none.
   */
  along(): (latitude: number, longitude: number) => KnownHeight | undefined
}

/** Returns the heights of a stored course; undefined if it has none. */
export function courseHeights({ line: bytes, source }: StoredHeights): KnownHeights | undefined {
  const line = decodeCourseLine(bytes)
  return line.altitude.every((meters) => Number.isNaN(meters)) ? undefined : heightsOfLine(line, source)
}

/** Returns the heights of a line of at least two places. */
export function heightsOfLine(line: CourseLine, source: HeightSource = 'course'): KnownHeights {
  const projection = projectionFor(line)
  const plane = projection.columns(line)
  const squares = legsBySquare(plane)
  const along = () => {
    const finder = new LegFinder(plane, squares)
    return (latitude: number, longitude: number) => {
      if (!finder.find(projection.x(longitude), projection.y(latitude))) return undefined
      const { leg, part, awayM } = finder
      const from = line.altitude[leg - 1]
      const to = line.altitude[leg]
      if (Number.isNaN(from + to)) return undefined
      return { meters: from + part * (to - from), share: Math.min(1, (AWAY_METERS - awayM) / FADING_METERS) }
    }
  }
  return { source, errorMeters: USUAL_ERROR_METERS, along }
}

type Plane = { x: Float64Array; y: Float64Array }

const squareOf = (meters: number) => Math.floor(meters / AWAY_METERS)
/** A number for a square; no course is as many squares high. */
const keyOf = (column: number, row: number) => column * 4_194_304 + row

/** A leg of so many steps crosses an ocean, and nobody is found on it. */
const MAX_STEPS = 4000

/** Returns the legs, by the index of their end, that pass each square, so that only a few are compared with a place. */
function legsBySquare({ x, y }: Plane): Map<number, number[]> {
  const squares = new Map<number, number[]>()
  for (let leg = 1; leg < x.length; leg++) {
    const dx = x[leg] - x[leg - 1]
    const dy = y[leg] - y[leg - 1]
    // Steps of half a square leave out a corner at most, which the squares around a place have.
    const steps = Math.max(1, Math.min(MAX_STEPS, Math.ceil((2 * Math.hypot(dx, dy)) / AWAY_METERS)))
    for (let step = 0; step <= steps; step++) {
      const key = keyOf(squareOf(x[leg - 1] + (step / steps) * dx), squareOf(y[leg - 1] + (step / steps) * dy))
      const legs = squares.get(key)
      if (legs === undefined) squares.set(key, [leg])
      else if (legs[legs.length - 1] !== leg) legs.push(leg)
    }
  }
  return squares
}

/** Finds the leg of each position of a track: the nearest one, or one nearly as near on the same pass of the place. */
class LegFinder {
  readonly #plane: Plane
  readonly #squares: Map<number, number[]>
  /** The leg that was found last; NaN before the first. */
  leg = Number.NaN
  /** The part of it before the place that is nearest to the position, from 0 to 1. */
  part = 0
  awayM = 0
  #cost = 0

  constructor(plane: Plane, squares: Map<number, number[]>) {
    this.#plane = plane
    this.#squares = squares
  }

  /** Returns whether there is one. */
  find(px: number, py: number): boolean {
    const last = this.leg
    this.#cost = Number.POSITIVE_INFINITY
    const last1 = Math.min(this.#plane.x.length - 1, last + NEXT_LEGS)
    for (let leg = Math.max(1, last - 1); leg <= last1; leg++) this.#compare(leg, px, py, last)
    if (this.#cost < NEAR_METERS / 2) return true
    const column = squareOf(px)
    const row = squareOf(py)
    for (let square = 0; square < 9; square++) {
      const legs = this.#squares.get(keyOf(column - 1 + (square % 3), row - 1 + Math.floor(square / 3)))
      if (legs !== undefined) for (const leg of legs) this.#compare(leg, px, py, last)
    }
    return this.#cost < Number.POSITIVE_INFINITY
  }

  #compare(leg: number, px: number, py: number, last: number): void {
    const { x, y } = this.#plane
    const dx = x[leg] - x[leg - 1]
    const dy = y[leg] - y[leg - 1]
    const fromX = px - x[leg - 1]
    const fromY = py - y[leg - 1]
    const squared = dx * dx + dy * dy
    const part = squared === 0 ? 0 : Math.min(1, Math.max(0, (fromX * dx + fromY * dy) / squared))
    const awayX = fromX - part * dx
    const awayY = fromY - part * dy
    const awayM = Math.sqrt(awayX * awayX + awayY * awayY)
    const cost = awayM + (Math.abs(leg - last) > SAME_PASS_LEGS ? OTHER_PASS_METERS : 0)
    if (awayM >= AWAY_METERS || cost >= this.#cost) return
    this.#cost = cost
    this.leg = leg
    this.part = part
    this.awayM = awayM
  }
}
