import type { CheckpointKind, Gate } from './checkpoints.ts'
import { type CourseShape, type NearPlace, nearPlaces } from './course.ts'
import {
  type FollowedTrack,
  type FollowSettings,
  followedToEnd,
  latestPosition,
  type Position,
} from './follow-track.ts'
import { type Gap, unseenBefore } from './gaps.ts'
import { finalStops } from './line-stops.ts'
import { AT_LINE_METERS, addVisit, type Visit } from './visits.ts'

/** A gate that a runner has passed. */
export type GatePassing = {
  gate: number
  timeMs: number
  intervalSec: number
  /** Metres before or beside the line at which the runner stopped without crossing it; null for a crossing. */
  awayM: number | null
  source: 'crossing' | 'stop' | 'manual' | 'imported'
  /** The time of the recording, also where another one counts; null without one. */
  recordedMs: number | null
}

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
type StandingLimits = {
  /** Visits known by then; Infinity for all. */
  untilMs: number
  /** The present, which decides whether a recording that ends at a line has ended. */
  nowMs: number
  gunMs: number | null
}

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
  { untilMs, nowMs, gunMs }: StandingLimits,
): Standing {
  const { gates } = settings
  const whole = followedToEnd(track, settings)
  const stops = finalStops(whole.stays, gates, Math.min(untilMs, nowMs))
  const all = stops.reduce((before, stop) => addVisit(before, stop, settings), whole.visits)
  const visits = matchPassings(all, gates, { untilMs, gunMs, gaps: whole.gaps })
  const passings = visits.map(passingOf)
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

function passingOf({ gate, timeMs, intervalSec, awayM }: Visit): GatePassing {
  const source = awayM === undefined ? 'crossing' : 'stop'
  return { gate, timeMs, intervalSec, awayM: awayM ?? null, source, recordedMs: timeMs }
}

/**
 * Returns the latest position up to a time. With a delay it comes from the trail, even without later ones: the very
 * latest would be a few seconds further, and tell that the runner does not go on.
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

/** Limits of the visits that count. */
type MatchLimits = {
  /** Only visits that were known by then. */
  untilMs: number
  /** Common start; earlier visits are a warm-up. Null without one. */
  gunMs: number | null
  /** Gaps of the recording. */
  gaps: readonly Gap[]
}

/** Between two gates, a runner's way is hardly shorter than the course, except in gaps. A lap that is missing shows. */
const LEAST_WAY = 0.85
const WAY_TOLERANCE_METERS = 300
/** The way may differ from the course so much at no cost: receivers add some percent, and runners leave the course. */
const FREE_SHARE = 0.1
const FREE_METERS = 150
/** Two visits in the right order always count more than one, however unlike their way and the course are. */
const MAX_COST = 0.9
/** A runner whose phone records from the middle of the course on is less likely than one from the start. */
const LATE_COST = 0.5
/** A crossing counts before a stop; at the finish, before one that is farther from the line than a receiver errs. */
const STOP_COST = 0.1
/** A stop near the finish counts for those who were seen on this part of the course: many wait beside it. */
const LEAST_SEEN_WAY = 0.5
const SAME_SCORE = 1e-9

/**
 * Chooses the visits that are the passings of the gates: each gate at most once, in the order of the course
 * and of time, as many as there can be. A course that comes by the same place several times is told apart
 * by the way that was run between two visits, compared with that along the course. Of equally good visits
 * the first counts, at the start the last.
 */
function matchPassings(
  visits: readonly Visit[],
  gates: readonly Gate[],
  { untilMs, gunMs, gaps }: MatchLimits,
): Visit[] {
  const isKnown = ({ knownMs, replacedMs }: Visit) =>
    knownMs <= untilMs && (replacedMs === undefined || replacedMs > untilMs)
  const known = visits.filter(isKnown).sort((a, b) => a.timeMs - b.timeMs)
  const counted = known.filter(({ timeMs }) => timeMs >= (gunMs ?? timeMs))
  const early = known.findLast(({ gate, timeMs }) => gates[gate].kind === 'start' && timeMs < (gunMs ?? timeMs))
  const scores = new Float64Array(counted.length).fill(Number.NEGATIVE_INFINITY)
  const previous = new Int32Array(counted.length).fill(-1)
  let best = -1
  for (let i = 0; i < counted.length; i++) {
    const visit = counted[i]
    const gate = gates[visit.gate]
    scores[i] = firstScore(gunMs === null ? visit : wayFromGun(visit, early, gaps, gunMs), gate)
    for (let j = 0; j < i; j++) {
      const before = counted[j]
      if (before.gate >= visit.gate || scores[j] === Number.NEGATIVE_INFINITY) continue
      const cost = costBetween(before, visit, gate.kind, gate.courseM - gates[before.gate].courseM)
      if (cost === undefined) continue
      const score = scores[j] + 1 - cost
      const isLaterStart = gates[before.gate].kind === 'start' && score > scores[i] - SAME_SCORE
      if (score <= scores[i] + SAME_SCORE && !isLaterStart) continue
      scores[i] = score
      previous[i] = j
    }
    if (isBetterEnd(i)) best = i
  }
  const chosen: Visit[] = []
  for (let i = best; i !== -1; i = previous[i]) chosen.unshift(counted[i])
  return chosen

  function isBetterEnd(i: number): boolean {
    if (scores[i] === Number.NEGATIVE_INFINITY) return false
    if (best === -1 || scores[i] > scores[best] + SAME_SCORE) return true
    if (scores[i] < scores[best] - SAME_SCORE) return false
    const [gate, bestGate] = [counted[i].gate, counted[best].gate]
    return gate > bestGate || (gate === bestGate && gates[gate].kind === 'start')
  }
}

/**
 * Returns a visit with the way to it that counts: from the line on, for those who crossed it before the common start,
 * and without what may have been run while the phone was silent before it.
 */
function wayFromGun(visit: Visit, early: Visit | undefined, gaps: readonly Gap[], gunMs: number): Visit {
  const travelledM = visit.travelledM - (early?.travelledM ?? 0)
  const unseenM = visit.unseenM - Math.max(early?.unseenM ?? 0, unseenBefore(gaps, gunMs, visit.timeMs))
  return { ...visit, travelledM, unseenM }
}

/** Scores a visit as the first one. Nobody finishes without having run the course, recorded or not. */
function firstScore(visit: Visit, { kind, courseM }: Gate): number {
  const { travelledM, unseenM } = visit
  const cost = stopCost(visit, kind)
  if (kind === 'start' || isFarEnough(visit, kind, travelledM, unseenM, courseM)) return 1 - cost
  return kind === 'finish' ? Number.NEGATIVE_INFINITY : 1 - LATE_COST
}

/** Returns how unlike the way between two visits is to the course between their gates; undefined if it is too short. */
function costBetween(from: Visit, to: Visit, toKind: CheckpointKind, courseM: number): number | undefined {
  if (to.timeMs <= from.timeMs) return undefined
  const wayM = to.travelledM - from.travelledM
  const unseenM = to.unseenM - from.unseenM
  if (!isFarEnough(to, toKind, wayM, unseenM, courseM)) return undefined
  const free = FREE_SHARE * courseM + FREE_METERS
  const unlikeM = wayM < courseM ? Math.max(0, courseM - wayM - unseenM) : wayM - courseM
  const wayCost = Math.max(0, unlikeM - free) / (courseM + WAY_TOLERANCE_METERS)
  return Math.min(MAX_COST, wayCost + stopCost(to, toKind))
}

function stopCost({ awayM }: Visit, kind: CheckpointKind): number {
  if (awayM === undefined) return 0
  return kind === 'start' || awayM > AT_LINE_METERS ? STOP_COST : 0
}

/** Tells whether a way is as long as the course up to a visit. One up to a stop at the finish must have been seen. */
export function isFarEnough(
  { awayM }: Visit,
  kind: CheckpointKind,
  wayM: number,
  unseenM: number,
  courseM: number,
): boolean {
  const isStop = awayM !== undefined && kind === 'finish'
  if (isStop && wayM < LEAST_SEEN_WAY * courseM) return false
  const toleranceM = isStop ? Math.min(WAY_TOLERANCE_METERS, FREE_SHARE * courseM) : WAY_TOLERANCE_METERS
  return wayM + unseenM + toleranceM >= courseM * LEAST_WAY
}
