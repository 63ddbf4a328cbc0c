import type { Pause } from '../../domain/pauses.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'

/**
 * Share of points that must carry a speed for it to be used: the Doppler speed of a receiver is within 0.1 % of the
 * maximum a device shows; speeds between positions are 20 % above it (docs/accuracy.md).
 */
const SHARE_WITH_SPEED = 0.5

/** A maximum from positions must last this long; shorter windows measure the jitter of positions. */
const WINDOW_SEC = 10

/** Returns true when enough points carry a speed. */
export function hasOwnSpeeds(trace: Trace): boolean {
  let known = 0
  for (let i = 0; i < trace.count; i++) if (trace.speedMps[i] >= 0) known++
  return trace.count > 0 && known >= trace.count * SHARE_WITH_SPEED
}

/** A speed in metres per second, with the index of its point. */
type SpeedAt = { value: number; index: number }

/**
 * Returns the highest speed in metres per second that the points themselves carry, outside pauses and at most
 * `limitMps`; undefined when there is none. Phones send a negative speed for unknown.
 */
export function maxOwnSpeed(trace: Trace, pauses: readonly Pause[], limitMps: number): SpeedAt | undefined {
  const highest: SpeedAt = { value: -1, index: 0 }
  let next = 0
  for (let i = 0; i < trace.count; i++) {
    const mps = trace.speedMps[i]
    while (next < pauses.length && pauses[next].toMs <= trace.timeMs[i]) next++
    const isPaused = next < pauses.length && pauses[next].fromMs < trace.timeMs[i]
    if (mps > highest.value && mps <= limitMps && !isPaused) Object.assign(highest, { value: mps, index: i })
  }
  return highest.value < 0 ? undefined : highest
}

/**
 * Returns the highest speed in metres per second, at most `limitMps`, between positions over a window of at least 10 s;
 * the fastest leg when points are further apart. Runs shorter than the window count, as a whole, only when no run is
 * longer. `starts` are the first points of the runs of unbroken legs. Undefined when none has a leg. The point is the
 * one in the middle of the window.
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
    const end = run + 1 < starts.length ? starts[run + 1] : trace.count
    let first = starts[run]
    let meters = 0
    for (let i = first + 1; i < end; i++) {
      meters += legMeters[i]
      while (secondsBetween(trace, first + 1, i) >= WINDOW_SEC) meters -= legMeters[++first]
      const seconds = secondsBetween(trace, first, i)
      const mps = Math.max(0, meters) / seconds
      if (mps > limitMps) continue
      const window = seconds >= WINDOW_SEC ? highest : highestShort
      if ((window === highest || i === end - 1) && mps > window.value)
        Object.assign(window, { value: mps, from: first, to: i })
    }
  }
  const { value, from, to } = highest.value >= 0 ? highest : highestShort
  return value < 0 ? undefined : { value, index: middleOf(trace, from, to) }
}

/** Returns the first point in the second half of the time between two points. */
function middleOf({ timeMs }: Trace, from: number, to: number): number {
  const middleMs = (timeMs[from] + timeMs[to]) / 2
  let index = from
  while (timeMs[index] < middleMs) index++
  return index
}
