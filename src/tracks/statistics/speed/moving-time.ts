import type { ActivityType } from '../../domain/activity-type.ts'
import { metersBetween } from '../trace/distance.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'
import { STANDING_BELOW_MPS } from './standing-speed.ts'

/**
 * Positions are compared over at least 5 s, half of it on each side; over one second they jitter faster than a slow
 * walk.
 */
const HALF_WINDOW_MS = 2500

/** The speed of a point is not that of a longer leg before it: devices stop recording while standing. */
const MAX_LEG_OF_SPEED_SEC = 10

/** Returns the seconds in motion: the total of the legs of `movingLegs`. */
export function movingTimeSec(trace: Trace, starts: Int32Array, activityType: ActivityType, useOwnSpeeds: boolean) {
  const moving = movingLegs(trace, starts, activityType, useOwnSpeeds)
  let movingSec = 0
  for (let i = 1; i < trace.count; i++) if (moving[i] === 1) movingSec += secondsBetween(trace, i - 1, i)
  return movingSec
}

/**
 * Marks each leg of an unbroken run that is faster than standing with 1, at the index of the point where it ends. Its
 * speed is the receiver's with `useOwnSpeeds` if known, otherwise the speed between positions. `starts` are the first
 * points of the runs of unbroken legs.
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
      const hasOwn = useOwnSpeeds && trace.speedMps[i] >= 0 && legSec <= MAX_LEG_OF_SPEED_SEC
      const mps = hasOwn ? trace.speedMps[i] : metersBetween(trace, from, to) / secondsBetween(trace, from, to)
      if (mps >= STANDING_BELOW_MPS[activityType]) moving[i] = 1
    }
  }
  return moving
}
