import { smoothedSpeeds } from './smoothed-speeds.ts'
import type { SpeedAt } from './speed.ts'
import { secondsBetween, type Trace } from './trace.ts'

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
