import { upperMedian } from '../trace/median.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'

/** Over less than this, a stop cannot be distinguished from receiver drift, or from the step that ended it. */
const MIN_STOPPED_METERS = 100

/** An interval this many times the median is an interruption; an even recording has none. */
const MEDIAN_INTERVALS = 10

/** Fewer points do not show the usual interval, and short recordings made by hand must be the sum of their legs. */
const MIN_POINTS = 30

/**
 * Marks each leg on which the recorder was stopped without a declared pause with 1, at the index of the point where it
 * ends, as the automatic pause of a bike computer does: no points for a long time, and a mean speed below `belowMps`
 * until the next one, see `stoppedBelowMps`. Devices count neither its distance nor its climb (docs/accuracy.md).
 */
export function stoppedLegs(trace: Trace, legMeters: Float64Array, belowMps: number): Uint8Array {
  const stopped = new Uint8Array(trace.count)
  if (trace.count < MIN_POINTS) return stopped
  let usualSec: number | undefined
  for (let i = 1; i < trace.count; i++) {
    const seconds = secondsBetween(trace, i - 1, i)
    if (legMeters[i] <= MIN_STOPPED_METERS || legMeters[i] >= seconds * belowMps) continue
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
