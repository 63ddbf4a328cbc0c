import { clearOfGate, type Gate, isInside } from './checkpoints.ts'
import type { Visit } from './visits.ts'

/**
 * A start or finish line counts a stop this close to it where it is not crossed. Runners end the recording as they
 * arrive, and receivers err by some metres.
 */
const STOP_METERS = 30
/** A stop up to this far from a finish does not count by itself: an operator decides about it. */
const DOUBTFUL_STOP_METERS = 150
/** A runner stops who stays about a place, or sends no position, for so long. */
export const STOP_MS = 60_000

/** A runner at rest stays within this distance of a place: the drift of a receiver. */
const REST_METERS = 20
/** Positions of a stop differ less than this in their distance from the line. */
const SAME_PLACE_METERS = 5
/** A place that is nearer to the line than the stop by more than this was passed on the way, and is no drift. */
const DRIFT_METERS = 10
/** Positions of a stay that are kept: two minutes at one a second. */
const MAX_SAMPLES = 120
const MIN_SAMPLE_STEP_MS = 950
/** Bounds of the speed with which the uncertainty of a place becomes one of time: a walk to a sprint. */
const SLOWEST_MPS = 0.5
const FASTEST_MPS = 8
const USUAL_MPS = 3

/** A position near a line, with its distance from it. */
type Sample = {
  timeMs: number
  awayM: number
  accuracyM: number
  travelledM: number
  unseenM: number
}

/** A runner's stay within reach of a gate, as long as it lasts. It is plain data, as the track is. */
export type LineStay = {
  gate: number
  /** The position before the stay, and the positions of it, at most one a second. */
  samples: Sample[]
  /** The latest position. */
  latest: Sample
  rest: { x: number; y: number; sinceMs: number }
  /** True if the recording begins here. */
  isFirst: boolean
  /** Beginning of the latest rest that was long enough for a stop; null before one. */
  restedSinceMs: number | null
  /** True once the present rest is a visit. */
  isCounted: boolean
}

/** A position with the way that the track had counted by then. */
type StayPosition = {
  timeMs: number
  x: number
  y: number
  accuracyM: number
  travelledM: number
  unseenM: number
}

/** The way from one counted position to the next. `from` is null for the first one. */
type StayLeg = { from: StayPosition | null; to: StayPosition; knownMs: number }

/**
 * A stop that is a visit. `passesMs` is set for one that later turned out to be none: the time when it did. `isTurn` is
 * true where the runner came near a finish and left again without a stop.
 */
type StopVisit = Visit & { passesMs?: number; isTurn?: boolean }

/** Metres from a gate within which stops are followed; 0 for none. */
type StopReach = (gate: Gate) => number

/** The reach of stops that count: those near start and finish lines. Circles have their own extent. */
export const countedReach: StopReach = (gate) => (gate.type === 'line' && gate.kind !== 'checkpoint' ? STOP_METERS : 0)

/** The reach of stops that an operator may decide to count. */
export const doubtfulReach: StopReach = ({ kind }) => (kind === 'finish' ? DOUBTFUL_STOP_METERS : 0)

/**
 * Goes on with the stays within reach of gates along one leg, and returns the stops that become visits: at a
 * finish, a rest or a silence, with the time of arrival; at a start, a rest or the beginning of the recording, with
 * the time of departure along the course. Whoever leaves a finish without a stop has turned there.
 * @param stays is changed in place
 */
export function followStays(stays: LineStay[], gates: readonly Gate[], leg: StayLeg, reach: StopReach): StopVisit[] {
  const visits: StopVisit[] = []
  for (const [i, gate] of gates.entries()) {
    const reachM = reach(gate)
    if (reachM === 0) continue
    const at = stays.findIndex((one) => one.gate === i)
    const stay = stays[at]
    if (stay !== undefined && gate.kind === 'finish') visits.push(...silentStop(stay, leg))
    const awayM = distanceFrom(gate, leg.to)
    if (awayM > reachM) {
      if (stay === undefined) continue
      if (gate.kind === 'start') visits.push(...departure(stay, gate, leg, awayM))
      else if (!stay.isCounted) visits.push({ ...arrival(stay), knownMs: leg.knownMs, isTurn: true })
      stays.splice(at, 1)
      continue
    }
    const present = stay ?? newStay(i, gate, leg, awayM)
    if (stay === undefined) stays.push(present)
    else addSamples(present, gate, leg, awayM)
    if (isResting(present, leg.to)) {
      present.restedSinceMs = present.rest.sinceMs
      if (gate.kind === 'finish' && !present.isCounted) {
        present.isCounted = true
        visits.push({ ...arrival(present), knownMs: leg.knownMs })
      }
    }
  }
  return visits
}

/**
 * Returns the stops at which the recording ends, as known at a time; without one, as soon as it is a minute old.
 * @param untilMs the time
 */
export function finalStops(stays: readonly LineStay[], gates: readonly Gate[], untilMs: number): Visit[] {
  return stays
    .filter(({ gate, isCounted, latest }) => {
      return gates[gate].kind === 'finish' && !isCounted && latest.timeMs + STOP_MS <= untilMs
    })
    .map((stay) => ({ ...arrival(stay), knownMs: stay.latest.timeMs + STOP_MS }))
}

/** Returns the stop of a runner who was silent for the whole leg. It was none if the runner then is elsewhere. */
function silentStop(stay: LineStay, { to, knownMs }: StayLeg): StopVisit[] {
  const stoppedMs = stay.latest.timeMs + STOP_MS
  if (stay.isCounted || knownMs < stoppedMs) return []
  const visit = { ...arrival(stay), knownMs: stoppedMs }
  if (!isNear(stay.rest, to)) return [{ ...visit, passesMs: knownMs }]
  stay.isCounted = true
  return [visit]
}

/** Returns the start of a runner who leaves the place along the course, and was at rest or began to record there. */
function departure(stay: LineStay, gate: Gate, { to, knownMs }: StayLeg, awayM: number): StopVisit[] {
  if (gate.type !== 'line' || gate.arrivesFrom === 0 || sideOf(gate, to) === gate.arrivesFrom) return []
  if (!stay.isFirst && stay.restedSinceMs === null) return []
  const fromMs = stay.restedSinceMs ?? Number.NEGATIVE_INFINITY
  const own = [...stay.samples, stay.latest].filter(
    ({ timeMs }, i, all) => timeMs >= fromMs && timeMs !== all[i - 1]?.timeMs,
  )
  const backwards = [sampleOf(to, awayM), ...own.reverse()]
  return [{ ...visitAt(stay.gate, nearestPlace(backwards)), knownMs }]
}

function arrival(stay: LineStay): Visit {
  const { samples, latest } = stay
  const isKept = samples[samples.length - 1]?.timeMs === latest.timeMs
  return visitAt(stay.gate, nearestPlace(isKept ? samples : [...samples, latest]))
}

/** A place on the way, and the time and speed there. */
type Arrival = Sample & { legSec: number; speedMps: number }

/**
 * Returns where a runner comes to the place nearest to the line: where the distance first is that of the stop, which
 * is the median of its positions, since the nearest of many is the one that errs most. A place that was passed
 * clearly nearer counts itself.
 * @param samples on the way to the stop, in the order of time, or of time backwards
 */
function nearestPlace(samples: readonly Sample[]): Arrival {
  const last = samples[samples.length - 1]
  const from = samples.findIndex(({ awayM }) => Math.abs(awayM - last.awayM) <= SAME_PLACE_METERS)
  const stopped = samples.slice(from + 1).map(({ awayM }) => awayM)
  const stopM = stopped.length === 0 ? last.awayM : medianOf(stopped)
  const leastM = Math.min(...samples.map(({ awayM }) => awayM))
  const levelM = stopM - leastM > DRIFT_METERS ? leastM : stopM
  const i = samples.findIndex(({ awayM }) => awayM <= levelM)
  const [before, after] = [samples[i - 1], samples[i]]
  if (before === undefined) return { ...after, legSec: 0, speedMps: USUAL_MPS }
  const part = before.awayM === after.awayM ? 1 : (before.awayM - levelM) / (before.awayM - after.awayM)
  const between = (field: keyof Sample) => before[field] + part * (after[field] - before[field])
  const legSec = Math.abs(after.timeMs - before.timeMs) / 1000
  return {
    timeMs: between('timeMs'),
    awayM: levelM,
    accuracyM: after.accuracyM,
    travelledM: between('travelledM'),
    unseenM: between('unseenM'),
    legSec,
    speedMps: Math.min(FASTEST_MPS, Math.max(SLOWEST_MPS, (before.awayM - after.awayM) / legSec)),
  }
}

function visitAt(gate: number, { timeMs, awayM, accuracyM, travelledM, unseenM, legSec, speedMps }: Arrival): Visit {
  return {
    gate,
    timeMs,
    knownMs: timeMs,
    intervalSec: legSec / 2 + (awayM + accuracyM) / speedMps,
    travelledM,
    unseenM,
    untilTravelledM: travelledM,
    awayM,
  }
}

function newStay(index: number, gate: Gate, { from, to }: StayLeg, awayM: number): LineStay {
  const latest = sampleOf(to, awayM)
  const before = from === null ? [] : [sampleOf(from, distanceFrom(gate, from)), ...passedOnLeg(gate, from, to)]
  return {
    gate: index,
    samples: [...before, latest],
    latest,
    rest: { x: to.x, y: to.y, sinceMs: to.timeMs },
    isFirst: from === null,
    restedSinceMs: null,
    isCounted: false,
  }
}

function addSamples(stay: LineStay, gate: Gate, { from, to }: StayLeg, awayM: number): void {
  const { samples, latest } = stay
  const newest = samples[samples.length - 1]
  if (latest.timeMs - newest.timeMs >= MIN_SAMPLE_STEP_MS) samples.push(latest)
  stay.latest = sampleOf(to, awayM)
  const passed = from === null ? [] : passedOnLeg(gate, from, to)
  samples.push(...passed)
  while (samples.length > MAX_SAMPLES) samples.shift()
}

/** Notes where the runner rests, and tells whether for long enough. */
function isResting(stay: LineStay, to: StayPosition): boolean {
  if (!isNear(stay.rest, to)) {
    stay.rest = { x: to.x, y: to.y, sinceMs: to.timeMs }
    stay.isCounted = false
    return false
  }
  return to.timeMs - stay.rest.sinceMs >= STOP_MS
}

function isNear(rest: { x: number; y: number }, { x, y }: StayPosition): boolean {
  return Math.hypot(x - rest.x, y - rest.y) <= REST_METERS
}

type Line = Extract<Gate, { type: 'line' }>
type PlanePlace = { x: number; y: number }

/** Returns the place of a leg at which it passes an end of the line, if that is nearer than both of its own ends. */
function passedOnLeg(line: Gate, from: StayPosition, to: StayPosition): Sample[] {
  if (line.type !== 'line') return []
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const squared = dx * dx + dy * dy
  if (squared === 0) return []
  let best: Sample | undefined
  let leastM = Math.min(distanceFrom(line, from), distanceFrom(line, to))
  for (const [x, y] of [
    [line.ax, line.ay],
    [line.bx, line.by],
  ]) {
    const f = ((x - from.x) * dx + (y - from.y) * dy) / squared
    if (f <= 0 || f >= 1) continue
    const between = (field: 'timeMs' | 'travelledM' | 'unseenM') => from[field] + f * (to[field] - from[field])
    const awayM = Math.hypot(from.x + f * dx - x, from.y + f * dy - y)
    if (awayM >= leastM) continue
    leastM = awayM
    const { accuracyM } = to
    const [timeMs, travelledM, unseenM] = [between('timeMs'), between('travelledM'), between('unseenM')]
    best = { timeMs, awayM, accuracyM, travelledM, unseenM }
  }
  return best === undefined ? [] : [best]
}

function sampleOf({ timeMs, accuracyM, travelledM, unseenM }: StayPosition, awayM: number): Sample {
  return { timeMs, awayM, accuracyM, travelledM, unseenM }
}

/** Returns the distance of a place from a line, or from the edge of a circle around it, in metres. */
function distanceFrom(gate: Gate, { x, y }: PlanePlace): number {
  if (gate.type === 'circle') return isInside(gate, x, y) ? 0 : clearOfGate(gate, x, y)
  const { ax, ay, bx, by } = gate
  const [dx, dy] = [bx - ax, by - ay]
  const squared = dx * dx + dy * dy
  const f = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared))
  return Math.hypot(x - ax - f * dx, y - ay - f * dy)
}

function sideOf({ ax, ay, bx, by }: Line, { x, y }: PlanePlace): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax))
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
