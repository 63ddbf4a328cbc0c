import type { ActivityType } from '../../domain/activity-type.ts'
import { metersBetween } from '../trace/distance.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'
import { STANDING_BELOW_MPS } from './standing-speed.ts'

/** Positions are compared over 5 s at least, half of it on each side; over one second they jitter faster than a slow walk. */
const HALF_WINDOW_MS = 2500

/** The speed a point carries tells nothing about a longer leg before it: devices stop recording where one stands. */
const LONGEST_LEG_OF_SPEED_SEC = 10

/** Seconds in motion: those of the legs of `movingLegs`. */
export function movingTimeSec(trace: Trace, starts: Int32Array, activityType: ActivityType, useOwnSpeeds: boolean) {
  const moving = movingLegs(trace, starts, activityType, useOwnSpeeds)
  let movingSec = 0
  for (let i = 1; i < trace.count; i++) if (moving[i] === 1) movingSec += secondsBetween(trace, i - 1, i)
  return movingSec
}

/**
 * Marks with 1, at the index of the point where it ends, each leg of an unbroken run whose speed, by the receiver where
 * `useOwnSpeeds` and it is known, else between positions, is not that of standing. `starts` are the runs of unbroken
 * legs.
 */
export function movingLegs(
  trace: Trace,
  starts: Int32Array,
  activityType: ActivityType,
  useOwnSpeeds: boolean,
): Uint8Array {
  const moving = new Uint8Array(trace.count)
  for (let run = 0; run < starts.length; run++) {
    const end = run + 1 < starts.length ? starts[run + 1] : trace.count
    let from = starts[run]
    let to = starts[run]
    for (let i = starts[run] + 1; i < end; i++) {
      const middleMs = (trace.timeMs[i - 1] + trace.timeMs[i]) / 2
      while (from + 1 < i && trace.timeMs[from + 1] <= middleMs - HALF_WINDOW_MS) from++
      while (to < end - 1 && (to < i || trace.timeMs[to] < middleMs + HALF_WINDOW_MS)) to++
      const legSec = secondsBetween(trace, i - 1, i)
      const hasOwn = useOwnSpeeds && trace.speedMps[i] >= 0 && legSec <= LONGEST_LEG_OF_SPEED_SEC
      const mps = hasOwn ? trace.speedMps[i] : metersBetween(trace, from, to) / secondsBetween(trace, from, to)
      if (mps >= STANDING_BELOW_MPS[activityType]) moving[i] = 1
    }
  }
  return moving
}
