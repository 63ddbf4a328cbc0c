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

/**
 * Returns the highest speed in metres per second that the points themselves carry, outside pauses and at most
 * `limitMps`; undefined when there is none. Phones send a negative speed for unknown.
 */
export function maxOwnSpeed(trace: Trace, pauses: readonly Pause[], limitMps: number): number | undefined {
  let highest = -1
  let next = 0
  for (let i = 0; i < trace.count; i++) {
    const mps = trace.speedMps[i]
    while (next < pauses.length && pauses[next].toMs <= trace.timeMs[i]) next++
    const isPaused = next < pauses.length && pauses[next].fromMs < trace.timeMs[i]
    if (mps > highest && mps <= limitMps && !isPaused) highest = mps
  }
  return highest < 0 ? undefined : highest
}

/**
 * Returns the highest speed in metres per second, at most `limitMps`, between positions over a window of at least 10 s;
 * the fastest leg when points are further apart. Runs shorter than the window count, as a whole, only when no run is
 * longer. `starts` are the first points of the runs of unbroken legs. Undefined when none has a leg.
 */
export function maxPositionSpeed(trace: Trace, legMeters: Float64Array, starts: Int32Array, limitMps: number) {
  let highest = -1
  let highestShort = -1
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
      if (seconds >= WINDOW_SEC) highest = Math.max(highest, mps)
      else if (i === end - 1) highestShort = Math.max(highestShort, mps)
    }
  }
  if (highest >= 0) return highest
  return highestShort >= 0 ? highestShort : undefined
}
