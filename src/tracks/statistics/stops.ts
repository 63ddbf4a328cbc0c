import type { ExaminedTrack } from './examined-track.ts'
import { LEG_KINDS } from './legs.ts'
import { STANDING_BELOW_MPS } from './speed.ts'
import { metersBetween, secondsBetween, type Trace } from './trace.ts'

/** Shorter stops are crossings, gates and photographs. */
const MIN_STOP_SEC = 180

/** Positions are compared this long before and after: over seconds, those of a phone that lies still outrun a walk. */
const HALF_WINDOW_SEC = 60

/** The ends of a slow climb are farther apart. */
const MAX_STOP_METERS = 100

/** Positions of a phone at rest wander no farther. */
const PLACE_METERS = 25

/** A long stop without a declared pause: the indexes of its first and last point in the trace. */
export type Stop = { from: number; to: number }

/**
 * Returns the stops of three minutes and more that no declared pause covers, in order: times in which nobody gets far
 * within two minutes, or in which the recorder was interrupted, see `stoppedLegs`. Other figures do not depend on them.
 */
export function longStops({ trace, kinds }: ExaminedTrack): Stop[] {
  const isLongStop = ({ from, to }: Stop) =>
    secondsBetween(trace, from, to) >= MIN_STOP_SEC &&
    (metersBetween(trace, from, to) <= MAX_STOP_METERS || kinds.subarray(from + 1, to + 1).includes(LEG_KINDS.stopped))
  return stillStretches(trace, kinds).filter(isLongStop)
}

/** Returns the stretches without way, those that touch as one. */
function stillStretches(trace: Trace, kinds: Uint8Array): Stop[] {
  const still = stillLegs(trace, kinds)
  const stretches: Stop[] = []
  for (let from = 0, to = 0; from < trace.count - 1; from = Math.max(to, from + 1)) {
    to = from
    while (to + 1 < trace.count && still[to + 1] === 1) to++
    if (secondsBetween(trace, from, to) < MIN_STOP_SEC - 2 * HALF_WINDOW_SEC) continue
    const stretch = widened(trace, kinds, { from, to })
    const before = stretches.at(-1)
    if (before !== undefined && stretch.from <= before.to) before.to = stretch.to
    else stretches.push(stretch)
  }
  return stretches
}

/** Marks each leg around which there is no way with 1, at the index of the point where it ends. */
function stillLegs(trace: Trace, kinds: Uint8Array): Uint8Array {
  const still = new Uint8Array(trace.count)
  let from = 0
  let to = 0
  for (let i = 1; i < trace.count; i++) {
    const middleMs = (trace.timeMs[i - 1] + trace.timeMs[i]) / 2
    while (from + 1 < i && trace.timeMs[from] < middleMs - HALF_WINDOW_SEC * 1000) from++
    while (to < i || (to + 1 < trace.count && trace.timeMs[to + 1] <= middleMs + HALF_WINDOW_SEC * 1000)) to++
    const isSlow = metersBetween(trace, from, to) < STANDING_BELOW_MPS.walk * secondsBetween(trace, from, to)
    if (kinds[i] === LEG_KINDS.stopped || (kinds[i] === LEG_KINDS.travelled && isSlow)) still[i] = 1
  }
  return still
}

/** Takes in both ends of a stretch, where part of the time that was compared was on the way. */
function widened(trace: Trace, kinds: Uint8Array, { from, to }: Stop): Stop {
  const isSamePlace = (one: number, other: number) =>
    secondsBetween(trace, one, other) <= HALF_WINDOW_SEC && metersBetween(trace, one, other) <= PLACE_METERS
  let [first, last] = [from, to]
  while (first > 0 && kinds[first] === LEG_KINDS.travelled && isSamePlace(first - 1, from)) first--
  while (last + 1 < trace.count && kinds[last + 1] === LEG_KINDS.travelled && isSamePlace(to, last + 1)) last++
  return { from: first, to: last }
}
