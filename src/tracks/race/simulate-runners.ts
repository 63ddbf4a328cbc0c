import { emptyColumns, type PointColumns } from '../points/point-columns.ts'
import type { CourseLine } from '../statistics/course-line.ts'
import { METERS_PER_DEGREE } from '../statistics/trace.ts'

/** A course as simulated runners meet it: climbs make its metres longer. */
export type RunCourse = { line: CourseLine; lengthM: number; effortM: Float64Array }

/** The end of a recording: at the finish, before it, or with an empty battery. */
type Ending = 'finishes' | 'stops-short' | 'falls-silent' | 'gives-up'

/** A simulated runner: all times are seconds of the race. */
export type SimulatedRunner = {
  userId: string
  startSec: number
  /** Time of the last point, where the recording ends. */
  endSec: number
  /** True for a recording that is finished, by the runner or after a silence; that of a forgotten phone goes on. */
  isFinished: boolean
  /** Metres of effort in a second. */
  effortMps: number
  /** Distance along the course at which the recording ends. */
  untilM: number
  /** Number from 0 to 1 that tells runners apart: their charge, and the errors of their receiver. */
  seed: number
}

/** Extra effort of a metre of climb, in metres, and of a steep descent. After Naismith's rule for fit runners. */
const EFFORT_OF_CLIMB = 7
const EFFORT_OF_DESCENT = 1.5
/** Most extra effort of a metre: altitudes of files are noisy. */
const MAX_EXTRA_EFFORT = 3
/** Speeds of the fastest and the slowest runner on the flat, in metres a second. */
const FASTEST_MPS = 3.9
const SLOWEST_MPS = 2.5
/** Runners wait so far before the start line, and end their recording so far behind the finish. */
const WAITING_M = 25
const BEYOND_M = 40
/** Stops that leave a doubt about the finish, and silences in the last kilometre; before the finish. */
const SHORT_M = 60
const SILENT_M = 500
/** Time for which a runner stands who stops before the line. */
const STANDING_SEC = 240
/** One after another starts where there is no common start, and crosses the line after a common one. */
const OWN_START_SEC = 15
const CROSSING_SEC = 0.7

/** Prepares a course for simulated runners. */
export function runCourse(line: CourseLine): RunCourse {
  const { distanceM, altitude } = line
  const effortM = new Float64Array(distanceM.length)
  for (let i = 1; i < distanceM.length; i++) {
    const climbM = altitude[i] - altitude[i - 1]
    const legM = distanceM[i] - distanceM[i - 1]
    const extraM = climbM > 0 ? climbM * EFFORT_OF_CLIMB : -climbM * EFFORT_OF_DESCENT
    effortM[i] = effortM[i - 1] + legM + (Number.isNaN(extraM) ? 0 : Math.min(extraM, legM * MAX_EXTRA_EFFORT))
  }
  return { line, lengthM: distanceM[distanceM.length - 1], effortM }
}

/**
 * Plans a runner for each person, the same for the same list. Of every twelve, one stops short of the line, one falls
 * silent in the last kilometre and one gives up half-way, so that operators meet what they have to decide.
 */
export function planRunners(
  course: RunCourse,
  userIds: readonly string[],
  { hasCommonStart }: { hasCommonStart: boolean },
): SimulatedRunner[] {
  return userIds.map((userId, i) => {
    const seed = seedOf(userId)
    const effortMps = FASTEST_MPS - seed * (FASTEST_MPS - SLOWEST_MPS)
    const ending = endingOf(i)
    const startSec = i * (hasCommonStart ? CROSSING_SEC : OWN_START_SEC)
    const untilM = untilOf(ending, course.lengthM)
    const effort = WAITING_M + effortAt(course, Math.min(untilM, course.lengthM)) + Math.max(0, untilM - course.lengthM)
    const standingSec = ending === 'stops-short' ? STANDING_SEC : 0
    const endSec = Math.ceil(startSec + effort / effortMps) + standingSec
    const isFinished = ending !== 'gives-up'
    return { userId, startSec, endSec, isFinished, effortMps, untilM, seed }
  })
}

function endingOf(i: number): Ending {
  return ({ 2: 'stops-short', 5: 'falls-silent', 8: 'gives-up' } as const)[i % 12] ?? 'finishes'
}

function untilOf(ending: Ending, lengthM: number): number {
  if (ending === 'stops-short') return Math.max(0, lengthM - SHORT_M)
  if (ending === 'falls-silent') return Math.max(0, lengthM - SILENT_M)
  return ending === 'gives-up' ? lengthM / 2 : lengthM + BEYOND_M
}

/** Hashes a text (FNV-1a) to a number from 0 to 1. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash / 2 ** 32
}

/**
 * Returns the points of a runner later than `afterSec` and not later than `untilSec`, one every `everySec` seconds of
 * the race and one at its end; undefined if there are none. The same times always have the same points.
 * @param startsMs time at which the race begins
 */
export function pointsBetween(
  course: RunCourse,
  runner: SimulatedRunner,
  {
    startsMs,
    afterSec,
    untilSec,
    everySec,
  }: { startsMs: number; afterSec: number; untilSec: number; everySec: number },
): PointColumns | undefined {
  const { startSec, endSec } = runner
  const first = Math.max(0, Math.floor((afterSec - startSec) / everySec) + 1)
  const last = Math.floor((Math.min(untilSec, endSec) - startSec) / everySec)
  const hasEnd = endSec > afterSec && endSec <= untilSec && startSec + last * everySec < endSec
  const count = Math.max(0, last - first + 1) + (hasEnd ? 1 : 0)
  if (count === 0) return undefined
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    const isEnd = hasEnd && i === count - 1
    setPoint(points, i, course, runner, isEnd ? endSec : startSec + (first + i) * everySec, startsMs)
  }
  return points
}

function setPoint(
  points: PointColumns,
  i: number,
  course: RunCourse,
  { startSec, endSec, effortMps, untilM, seed }: SimulatedRunner,
  sec: number,
  startsMs: number,
): void {
  const effort = (sec - startSec) * effortMps - WAITING_M
  const alongM = effort < 0 ? effort : distanceOfEffort(course, effort)
  const place = placeAt(course.line, Math.min(alongM, untilM))
  // A receiver's errors change slowly: some metres, over minutes.
  const phase = seed * 2 * Math.PI
  const north = (2.5 * Math.sin(sec / 41 + phase)) / METERS_PER_DEGREE
  const east = (2.5 * Math.cos(sec / 53 + phase * 3)) / (METERS_PER_DEGREE * Math.cos((place.latitude * Math.PI) / 180))
  points.timeMs[i] = startsMs + Math.round(sec * 1000)
  points.latitude[i] = rounded(place.latitude + north, 7)
  points.longitude[i] = rounded(place.longitude + east, 7)
  if (!Number.isNaN(place.altitude)) points.altitude[i] = rounded(place.altitude, 1)
  points.accuracy[i] = 5
  // Charges of half to full, which fall by a fifth.
  points.battery[i] = rounded(0.55 + 0.4 * seed - (0.2 * (sec - startSec)) / Math.max(1, endSec - startSec), 2)
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

/** Returns the effort up to a distance on the course. */
function effortAt({ line, effortM }: RunCourse, alongM: number): number {
  return interpolated(line.distanceM, effortM, alongM)
}

/** Returns the distance that an effort has taken a runner, also beyond the end of the course. */
function distanceOfEffort({ line, effortM, lengthM }: RunCourse, effort: number): number {
  const all = effortM[effortM.length - 1]
  return effort > all ? lengthM + effort - all : interpolated(effortM, line.distanceM, effort)
}

function interpolated(from: Float64Array, to: Float64Array, value: number): number {
  const i = legOf(from, value)
  const width = from[i] - from[i - 1]
  const part = width === 0 ? 0 : (value - from[i - 1]) / width
  return to[i - 1] + Math.min(1, Math.max(0, part)) * (to[i] - to[i - 1])
}

/** Returns the end of the leg that has a value, by binary search in a rising column. */
function legOf(column: Float64Array, value: number): number {
  let [low, high] = [1, column.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (column[middle] >= value) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the place at a distance along the course, and on its first or last leg made longer, before and behind it. */
function placeAt({ latitude, longitude, altitude, distanceM }: CourseLine, alongM: number) {
  const i = legOf(distanceM, alongM)
  const width = distanceM[i] - distanceM[i - 1]
  const part = width === 0 ? 0 : (alongM - distanceM[i - 1]) / width
  const between = (column: Float64Array) => column[i - 1] + part * (column[i] - column[i - 1])
  return { latitude: between(latitude), longitude: between(longitude), altitude: between(altitude) }
}
