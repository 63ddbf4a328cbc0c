import { type AltitudeRuns, removeAltitudeSpikes } from '../statistics/altitudes.ts'
import { type CourseLine, type Projection, projectionFor } from '../statistics/course-line.ts'
import { elevationProfile, totalClimb } from '../statistics/elevation.ts'
import { distanceMeters } from '../statistics/trace.ts'

/** A course in the plane, in metres. */
export type CourseShape = {
  projection: Projection
  x: Float64Array
  y: Float64Array
  distanceM: Float64Array
  lengthM: number
}

/** A place on the course that is nearer to a given place than the course around it. */
export type NearPlace = {
  courseM: number
  /** Distance from the course, in metres. */
  awayM: number
  /** Direction of the course there, as a vector of any length. */
  dx: number
  dy: number
}

/** Parts of the course that are further apart along it than this, and near the same place, are separate passes. */
const SEPARATE_METERS = 100

export function courseShape(line: CourseLine): CourseShape {
  const projection = projectionFor(line)
  return { projection, ...projection.columns(line), distanceM: line.distanceM, lengthM: courseLength(line) }
}

/**
 * Returns where the course passes within `withinM` of a place, each pass once at its nearest, in the order of the
 * course. If it never does, returns the nearest place alone. Only the course from `fromM` on is searched.
 */
export function nearPlaces(shape: CourseShape, x: number, y: number, withinM: number, fromM = 0): NearPlace[] {
  const passes: NearPlace[] = []
  const within = withinM * withinM
  let nearest = Number.POSITIVE_INFINITY
  let nearestLeg = firstLeg(shape, fromM)
  let lastM = Number.NEGATIVE_INFINITY
  for (let i = nearestLeg; i < shape.x.length; i++) {
    const squared = squaredAway(shape, i, x, y, partOnLeg(shape, i, x, y, fromM))
    if (squared < nearest) {
      nearest = squared
      nearestLeg = i
    }
    if (squared > within) continue
    const near = placeOnLeg(shape, i, x, y, fromM)
    const isSamePass = near.courseM - lastM <= SEPARATE_METERS
    lastM = near.courseM
    if (!isSamePass) passes.push(near)
    else if (near.awayM < passes[passes.length - 1].awayM) passes[passes.length - 1] = near
  }
  return passes.length > 0 ? passes : [placeOnLeg(shape, nearestLeg, x, y, fromM)]
}

/** Returns the end of the first leg that reaches beyond a distance along the course; at least the last leg. */
function firstLeg({ distanceM }: CourseShape, fromM: number): number {
  let [low, high] = [1, distanceM.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (distanceM[middle] > fromM) high = middle
    else low = middle + 1
  }
  return low
}

function placeOnLeg(shape: CourseShape, i: number, px: number, py: number, fromM: number): NearPlace {
  const { x, y, distanceM } = shape
  const f = partOnLeg(shape, i, px, py, fromM)
  return {
    courseM: distanceM[i - 1] + f * (distanceM[i] - distanceM[i - 1]),
    awayM: Math.sqrt(squaredAway(shape, i, px, py, f)),
    dx: x[i] - x[i - 1],
    dy: y[i] - y[i - 1],
  }
}

/** Returns the part of a leg, from 0 to 1, at which it is nearest to a place; not before `fromM`. */
function partOnLeg({ x, y, distanceM }: CourseShape, i: number, px: number, py: number, fromM: number): number {
  const dx = x[i] - x[i - 1]
  const dy = y[i] - y[i - 1]
  const squared = dx * dx + dy * dy
  const legM = distanceM[i] - distanceM[i - 1]
  const least = legM === 0 ? 0 : Math.min(1, Math.max(0, (fromM - distanceM[i - 1]) / legM))
  const along = squared === 0 ? 0 : ((px - x[i - 1]) * dx + (py - y[i - 1]) * dy) / squared
  return Math.min(1, Math.max(least, along))
}

function squaredAway({ x, y }: CourseShape, i: number, px: number, py: number, f: number): number {
  const dx = px - x[i - 1] - f * (x[i] - x[i - 1])
  const dy = py - y[i - 1] - f * (y[i] - y[i - 1])
  return dx * dx + dy * dy
}

/** Returns the distance of each place from the first one along the line, in metres. */
export function distancesAlong(latitude: Float64Array, longitude: Float64Array): Float64Array {
  const distanceM = new Float64Array(latitude.length)
  for (let i = 1; i < latitude.length; i++) {
    distanceM[i] = distanceM[i - 1] + distanceMeters(latitude[i - 1], longitude[i - 1], latitude[i], longitude[i])
  }
  return distanceM
}

/** Returns the length of a course in metres. */
export function courseLength({ distanceM }: CourseLine): number {
  return distanceM.length === 0 ? 0 : distanceM[distanceM.length - 1]
}

/**
 * The pace at which a course is travelled in thought, so that the errors of its heights last as long as those of a
 * receiver: those of models of the terrain stay alike over some hundred metres. docs/accuracy.md compares others.
 */
const THOUGHT_MPS = 5
/** Reversals of heights without noise that are smaller than this are steps of the model that they were taken from. */
const STEP_OF_MODEL_METERS = 3

/**
 * Returns the metres climbed along a course, estimated as those of a track are, or of heights without noise summed;
 * null if it has fewer than two altitudes.
 */
export function courseClimb(line: CourseLine): number | null {
  const runs = heightsOf(line)
  if (runs.meters.length < 2) return null
  const profile = elevationProfile(removeAltitudeSpikes(runs))
  return profile.method === 'plain' ? sumOfRises(runs.meters) : totalClimb(profile).gainMeters
}

/** Returns a course whose altitudes that leap away and back, as those of tracks may, lie on the line between others. */
export function withoutAltitudeLeaps(line: CourseLine): CourseLine {
  const known = heightsOf(line)
  const kept = removeAltitudeSpikes(known)
  if (kept === known) return line
  const { travelledMeters: atM, meters } = kept
  let next = 0
  const altitude = line.altitude.map((height, i) => {
    if (Number.isNaN(height)) return height
    const hereM = line.distanceM[i]
    while (next < atM.length - 1 && atM[next] < hereM) next++
    if (next === 0 || atM[next] === hereM) return meters[next]
    const part = Math.min(1, (hereM - atM[next - 1]) / (atM[next] - atM[next - 1]))
    return meters[next - 1] + part * (meters[next] - meters[next - 1])
  })
  return { ...line, altitude }
}

/** Returns the known altitudes of a course, as if it was travelled without a pause. */
function heightsOf({ altitude, distanceM }: CourseLine): AltitudeRuns {
  const isKnown = (_: number, i: number) => !Number.isNaN(altitude[i])
  const meters = altitude.filter(isKnown)
  const travelledMeters = distanceM.filter(isKnown)
  const timeMs = travelledMeters.map((way) => (way / THOUGHT_MPS) * 1000)
  return { timeMs, meters, travelledMeters, bounds: Int32Array.of(0, meters.length) }
}

function sumOfRises(meters: Float64Array): number {
  let climbM = 0
  const profile = { meters, reversalMeters: STEP_OF_MODEL_METERS }
  visitClimbs(profile, Int32Array.of(0, meters.length), (from, to) => {
    climbM += Math.max(0, meters[to] - meters[from])
  })
  return climbM
}

/**
 * Calls `visit` with the indexes of the first and last altitude of each rise and fall of each run. A reversal counts
 * once it is `reversalMeters` away from the last extreme, and then in full. So no part of a slow climb is lost, as
 * would happen if small steps were ignored one by one.
 */
function visitClimbs(
  { meters, reversalMeters }: { meters: Float64Array; reversalMeters: number },
  bounds: Int32Array,
  visit: (from: number, to: number) => void,
): void {
  const reached = (rise: number) => rise > 0 && rise >= reversalMeters
  for (let run = 0; run + 1 < bounds.length; run++) {
    let direction = 0
    let turn = bounds[run]
    let [extreme, low, high] = [turn, turn, turn]
    for (let i = turn; i < bounds[run + 1]; i++) {
      const altitude = meters[i]
      if (direction === 0) {
        if (altitude < meters[low]) low = i
        if (altitude > meters[high]) high = i
        if (!reached(altitude - meters[low]) && !reached(meters[high] - altitude)) continue
        direction = reached(altitude - meters[low]) ? 1 : -1
        turn = direction === 1 ? low : high
        extreme = i
      } else if ((altitude - meters[extreme]) * direction > 0) {
        extreme = i
      } else if (reached((meters[extreme] - altitude) * direction)) {
        visit(turn, extreme)
        turn = extreme
        extreme = i
        direction = -direction
      }
    }
    if (extreme !== turn) visit(turn, extreme)
  }
}
