import type { SpeedAt } from './speed.ts'
import { METERS_PER_DEGREE, secondsBetween, type Trace } from './trace.ts'

/** A maximum over a window must last this long; shorter windows measure the jitter of positions. */
const WINDOW_SEC = 10

/** In fewer points, in less time, and in points further apart there is nothing to smooth. */
const MIN_SMOOTHED_POINTS = 30
const MIN_SMOOTHED_SEC = 20
const MAX_SMOOTHED_INTERVAL_SEC = 15

/** A stretch between two points, and its speed in metres per second. */
type Stretch = { value: number; from: number; to: number }

/**
 * Returns the highest speed in metres per second, at most `limitMps`, of the positions. In a run of many points it is
 * that of the smoothest path through them. In others it is the mean over a window of at least 10 s, or the fastest leg
 * where points are further apart; runs shorter than the window count, as a whole, only when there is no longer one.
 * `starts` are the first points of the runs of unbroken legs. Undefined when none has a leg. The point of a window is
 * the one in its middle.
 */
export function maxPositionSpeed(
  trace: Trace,
  legMeters: Float64Array,
  starts: Int32Array,
  limitMps: number,
): SpeedAt | undefined {
  const highest = { value: -1, from: 0, to: 0 }
  const highestShort = { value: -1, from: 0, to: 0 }
  for (let run = 0; run < starts.length; run++) {
    const start = starts[run]
    const end = run + 1 < starts.length ? starts[run + 1] : trace.count
    if (!isSmoothable(trace, start, end)) {
      raiseByWindows(trace, legMeters, [start, end], limitMps, [highest, highestShort])
      continue
    }
    const fastest = fastestSmoothed(trace, start, end, limitMps)
    // Errors alone can make the way so long that its mean speed is higher, and no maximum is below a mean.
    const value = Math.max(fastest.value, meanMps(trace, legMeters, start, end))
    if (value <= limitMps) raise(highest, { ...fastest, value })
  }
  const { value, from, to } = highest.value >= 0 ? highest : highestShort
  return value < 0 ? undefined : { value, index: middleOf(trace, from, to) }
}

function isSmoothable(trace: Trace, start: number, end: number): boolean {
  if (end - start < MIN_SMOOTHED_POINTS) return false
  const seconds = secondsBetween(trace, start, end - 1)
  return seconds >= MIN_SMOOTHED_SEC && seconds <= MAX_SMOOTHED_INTERVAL_SEC * (end - start - 1)
}

function fastestSmoothed(trace: Trace, start: number, end: number, limitMps: number): Stretch {
  const speeds = smoothedSpeeds(trace, start, end)
  const fastest = { value: -1, from: start, to: start }
  for (let k = 0; k < speeds.length; k++) {
    if (speeds[k] <= limitMps) raise(fastest, { value: speeds[k], from: start + k, to: start + k })
  }
  return fastest
}

function meanMps(trace: Trace, legMeters: Float64Array, start: number, end: number): number {
  let meters = 0
  for (let i = start + 1; i < end; i++) meters += legMeters[i]
  return meters / secondsBetween(trace, start, end - 1)
}

function raise(highest: Stretch, other: Stretch): void {
  if (other.value > highest.value) Object.assign(highest, other)
}

function raiseByWindows(
  trace: Trace,
  legMeters: Float64Array,
  [start, end]: [start: number, end: number],
  limitMps: number,
  [highest, highestShort]: [highest: Stretch, highestShort: Stretch],
): void {
  let first = start
  let meters = 0
  for (let i = first + 1; i < end; i++) {
    meters += legMeters[i]
    while (secondsBetween(trace, first + 1, i) >= WINDOW_SEC) meters -= legMeters[++first]
    const seconds = secondsBetween(trace, first, i)
    const mps = Math.max(0, meters) / seconds
    if (mps > limitMps) continue
    const window = seconds >= WINDOW_SEC ? highest : highestShort
    if (window === highest || i === end - 1) raise(window, { value: mps, from: first, to: i })
  }
}

/** Returns the first point in the second half of the time between two points. */
function middleOf({ timeMs }: Trace, from: number, to: number): number {
  const middleMs = (timeMs[from] + timeMs[to]) / 2
  let index = from
  while (timeMs[index] < middleMs) index++
  return index
}

/**
 * Power spectral density of the acceleration in m²/s³, and variance of a position in m²: how quickly a speed changes,
 * and how far positions are off. Fixed, because devices smooth their positions, so that errors cannot be estimated from
 * them. Measured in docs/accuracy.md.
 */
const ACCELERATION_DENSITY = 0.05
const POSITION_VARIANCE = 9
/** At the first position, any speed is possible, in m²/s²; the mean of all is expected. */
const UNKNOWN_SPEED_VARIANCE = 1e4

/** Position in metres from the first one, and velocity, on one axis. */
type Axis = { position: Float64Array; velocity: Float64Array }
/** Covariances of position p and velocity v, which are the same on both axes. */
type Covariances = { pp: Float64Array; pv: Float64Array; vv: Float64Array }

/**
 * Returns the speed in metres per second at each point from `start` to before `end`, on the smoothest path that the
 * positions allow: a Kalman smoother with a nearly constant velocity on each axis (Rauch, Tung and Striebel, AIAA
 * Journal 3, 1965). Errors raise it less than a speed over a window, and its window adapts to the interval.
 */
function smoothedSpeeds(trace: Trace, start: number, end: number): Float64Array {
  const [east, north] = localAxes(trace, start, end)
  const covariances = filterPositions(trace, start, [east, north])
  for (const axis of [east, north]) smoothVelocities(trace, start, axis, covariances)
  return east.velocity.map((velocity, k) => Math.hypot(velocity, north.velocity[k]))
}

/** Adds up the steps east and north, which is exact enough for speeds everywhere on the globe. */
function localAxes({ latitude, longitude }: Trace, start: number, end: number): [Axis, Axis] {
  const count = end - start
  const east = new Float64Array(count)
  const north = new Float64Array(count)
  for (let k = 1; k < count; k++) {
    const i = start + k
    const degreesEast = longitude[i] - longitude[i - 1]
    const shortWay = degreesEast - 360 * Math.round(degreesEast / 360)
    const middle = ((latitude[i] + latitude[i - 1]) / 2) * (Math.PI / 180)
    east[k] = east[k - 1] + shortWay * Math.cos(middle) * METERS_PER_DEGREE
    north[k] = north[k - 1] + (latitude[i] - latitude[i - 1]) * METERS_PER_DEGREE
  }
  return [
    { position: east, velocity: new Float64Array(count) },
    { position: north, velocity: new Float64Array(count) },
  ]
}

/** Corrects positions and velocities by all positions up to each. */
function filterPositions(trace: Trace, start: number, axes: readonly Axis[]): Covariances {
  const { length } = axes[0].position
  const covariances = { pp: new Float64Array(length), pv: new Float64Array(length), vv: new Float64Array(length) }
  let [pp, pv, vv] = [POSITION_VARIANCE, 0, UNKNOWN_SPEED_VARIANCE]
  // Even motion is its own mean, and stays exact.
  const seconds = secondsBetween(trace, start, start + length - 1)
  for (const { position, velocity } of axes) velocity[0] = position[length - 1] / seconds
  for (let k = 0; k < length; k++) {
    if (k > 0) {
      const seconds = secondsBetween(trace, start + k - 1, start + k)
      ;[pp, pv, vv] = predicted(pp, pv, vv, seconds)
      const gainP = pp / (pp + POSITION_VARIANCE)
      const gainV = pv / (pp + POSITION_VARIANCE)
      for (const { position, velocity } of axes) {
        const expected = position[k - 1] + seconds * velocity[k - 1]
        const surprise = position[k] - expected
        position[k] = expected + gainP * surprise
        velocity[k] = velocity[k - 1] + gainV * surprise
      }
      vv -= gainV * pv
      pv *= 1 - gainP
      pp *= 1 - gainP
    }
    covariances.pp[k] = pp
    covariances.pv[k] = pv
    covariances.vv[k] = vv
  }
  return covariances
}

/** Returns the covariances some seconds later. */
function predicted(pp: number, pv: number, vv: number, seconds: number): [pp: number, pv: number, vv: number] {
  const noise = ACCELERATION_DENSITY * seconds
  return [
    pp + seconds * (2 * pv + seconds * vv) + (noise * seconds * seconds) / 3,
    pv + seconds * vv + (noise * seconds) / 2,
    vv + noise,
  ]
}

/** Corrects positions and velocities by all positions after each. */
function smoothVelocities(trace: Trace, start: number, { position, velocity }: Axis, { pp, pv, vv }: Covariances) {
  for (let k = position.length - 2; k >= 0; k--) {
    const seconds = secondsBetween(trace, start + k, start + k + 1)
    const [nextPP, nextPV, nextVV] = predicted(pp[k], pv[k], vv[k], seconds)
    const surpriseP = position[k + 1] - position[k] - seconds * velocity[k]
    const surpriseV = velocity[k + 1] - velocity[k]
    const determinant = nextPP * nextVV - nextPV * nextPV
    const byP = (nextVV * surpriseP - nextPV * surpriseV) / determinant
    const byV = (nextPP * surpriseV - nextPV * surpriseP) / determinant
    position[k] += (pp[k] + seconds * pv[k]) * byP + pv[k] * byV
    velocity[k] += (pv[k] + seconds * vv[k]) * byP + vv[k] * byV
  }
}
