import { type CourseShape, type NearPlace, nearPlaces } from './course-shape.ts'
import {
  type FollowedTrack,
  type FollowSettings,
  followedToEnd,
  latestPosition,
  type Position,
} from './follow-track.ts'
import { matchPassings } from './match-passings.ts'

/** A gate that a runner has passed. */
type GatePassing = { gate: number; timeMs: number; intervalSec: number }

/** A runner's place in the race at a time. */
export type Standing = {
  state: 'not-started' | 'running' | 'finished'
  /** In the order of the course. */
  passings: GatePassing[]
  /** Metres along the course. */
  progressM: number
  /** Distance from the course in metres; null on the course, and without a position. */
  offCourseM: number | null
}

/** The time of a standing, and the common start. */
type StandingLimits = { untilMs: number; gunMs: number | null }

/** A runner this far from the course is off it; positions of a bad accuracy may be so much further away. */
const OFF_COURSE_METERS = 60
const MAX_ACCURACY_ALLOWANCE_METERS = 60
/** A runner may be this far behind the gate that was passed last: circles are entered before their middle. */
const BEHIND_METERS = 100
/** A runner who crosses no start line has started after so much of the course. */
const STARTED_METERS = 500

/**
 * Returns the place of a runner in the race, from the points up to a time. It is a pure function of the points and the
 * course: no matter in which order points came, and how often it was computed before.
 */
export function standingOf(
  track: FollowedTrack,
  shape: CourseShape,
  settings: FollowSettings,
  { untilMs, gunMs }: StandingLimits,
): Standing {
  const { gates } = settings
  const whole = followedToEnd(track, settings)
  const visits = matchPassings(whole.visits, gates, { untilMs, gunMs })
  const passings = visits.map(({ gate, timeMs, intervalSec }) => ({ gate, timeMs, intervalSec }))
  const last = visits.at(-1)
  if (last !== undefined && gates[last.gate].kind === 'finish') {
    return { state: 'finished', passings, progressM: gates[last.gate].courseM, offCourseM: null }
  }
  const passedM = last === undefined ? 0 : gates[last.gate].courseM
  const position = positionAt(whole, untilMs)
  if (position === undefined || (gunMs !== null && position.timeMs < gunMs && last === undefined)) {
    return { state: last === undefined ? 'not-started' : 'running', passings, progressM: passedM, offCourseM: null }
  }
  const place = placeOn(shape, position, passedM, position.travelledM - (last?.travelledM ?? 0))
  const offCourseM = place.awayM > allowanceAt(position) ? place.awayM : null
  const hasRun = gunMs !== null || position.travelledM >= STARTED_METERS
  const isUnderWay = hasRun && place.courseM >= STARTED_METERS
  const hasStarted = last !== undefined || (isUnderWay && offCourseM === null)
  if (!hasStarted) return { state: 'not-started', passings, progressM: 0, offCourseM: null }
  return { state: 'running', passings, progressM: Math.max(passedM, place.courseM), offCourseM }
}

/**
 * Returns the latest position up to a time. With a delay it is that of the trail, whether or not there are later ones:
 * the very latest would be a few seconds further, and tell that the runner does not go on.
 */
function positionAt(track: FollowedTrack, untilMs: number): Position | undefined {
  if (untilMs === Number.POSITIVE_INFINITY) return latestPosition(track)
  return track.trail.findLast(({ timeMs, knownMs = timeMs }) => knownMs <= untilMs)
}

function allowanceAt({ accuracyM }: Position): number {
  return OFF_COURSE_METERS + Math.min(accuracyM, MAX_ACCURACY_ALLOWANCE_METERS)
}

/**
 * Returns where on the course a runner is. Where it comes by the same place several times, the direction decides, and
 * the way that was run since the last gate.
 */
function placeOn(shape: CourseShape, position: Position, passedM: number, wayM: number): NearPlace {
  const { x, y } = position
  const places = nearPlaces(shape, x, y, allowanceAt(position), Math.max(0, passedM - BEHIND_METERS))
  const cost = (place: NearPlace) =>
    place.awayM / OFF_COURSE_METERS +
    Math.abs(place.courseM - passedM - wayM) / (300 + 0.3 * wayM) +
    turnBetween(position, place)
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best))
}

/** Returns 0 for the same direction, 1 for the opposite one, and 0 where one is unknown. */
function turnBetween(a: { dx: number; dy: number }, b: { dx: number; dy: number }): number {
  const lengths = Math.hypot(a.dx, a.dy) * Math.hypot(b.dx, b.dy)
  return lengths === 0 ? 0 : (1 - (a.dx * b.dx + a.dy * b.dy) / lengths) / 2
}
