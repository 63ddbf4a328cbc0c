import { upperMedian } from '../trace/median.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'

/** Over less than this a stop is not told from the drift of a receiver, or from the step that ended it. */
const CARRIED_METERS = 100

/** A recording that has points this much rarer than it usually has was interrupted; an even one never is. */
const MEDIAN_INTERVALS = 10

/** Fewer points do not tell what is usual, and short recordings made by hand are to be the sum of their legs. */
const FEWEST_POINTS = 30

/**
 * Marks with 1, at the index of the point where it ends, each leg on which the recorder was stopped without saying so,
 * as the automatic pause of a bike computer does: no points for long, and when it went on, it had been carried on
 * slower than `belowMps`, see `carriedBelowMps`. Devices count neither its distance nor its climb (docs/accuracy.md).
 */
export function stoppedLegs(trace: Trace, legMeters: Float64Array, belowMps: number): Uint8Array {
  const stopped = new Uint8Array(trace.count)
  if (trace.count < FEWEST_POINTS) return stopped
  let usualSec: number | undefined
  for (let i = 1; i < trace.count; i++) {
    const seconds = secondsBetween(trace, i - 1, i)
    if (legMeters[i] <= CARRIED_METERS || legMeters[i] >= seconds * belowMps) continue
    usualSec ??= medianInterval(trace)
    if (seconds > MEDIAN_INTERVALS * usualSec) stopped[i] = 1
  }
  return stopped
}

function medianInterval(trace: Trace): number {
  const seconds = new Float64Array(trace.count - 1)
  for (let i = 1; i < trace.count; i++) seconds[i - 1] = secondsBetween(trace, i - 1, i)
  return upperMedian(seconds)
}
