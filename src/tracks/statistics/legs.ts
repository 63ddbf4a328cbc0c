import type { ActivityType, Pause } from '../model/track-state.ts'
import { isTeleport, stoppedBelowMps } from './speed.ts'
import { secondsBetween, type Trace, upperMedian } from './trace.ts'

/** Kinds of legs. Only travelled ones add distance; climbs continue over teleports, where only the position jumped. */
export const LEG_KINDS = { travelled: 0, paused: 1, stopped: 2, teleport: 3 } as const

type LegKindSettings = { pauses: readonly Pause[]; activityType: ActivityType; medianMps: number }

/** Returns the kind of each leg, at the index of the point where it ends. */
export function legKinds(trace: Trace, legMeters: Float64Array, settings: LegKindSettings): Uint8Array {
  const kinds = new Uint8Array(trace.count)
  const paused = pausedLegs(trace.timeMs, settings.pauses)
  const belowMps = stoppedBelowMps(settings.activityType, settings.medianMps)
  const stopped = stoppedLegs(trace, legMeters, belowMps)
  for (let i = 1; i < trace.count; i++) {
    if (paused[i] === 1) kinds[i] = LEG_KINDS.paused
    else if (stopped[i] === 1) kinds[i] = LEG_KINDS.stopped
    else if (isTeleport(legMeters[i], secondsBetween(trace, i - 1, i), settings.medianMps))
      kinds[i] = LEG_KINDS.teleport
  }
  return kinds
}

/** Returns the number of legs of a kind. */
export function countKind(kinds: Uint8Array, kind: number): number {
  let count = 0
  for (let i = 1; i < kinds.length; i++) if (kinds[i] === kind) count++
  return count
}

/** Returns the total length of the travelled legs. */
export function travelledMeters(kinds: Uint8Array, legMeters: Float64Array): number {
  let meters = 0
  for (let i = 1; i < kinds.length; i++) if (kinds[i] === LEG_KINDS.travelled) meters += legMeters[i]
  return meters
}

/** Returns the first points of the runs of travelled legs, in order; the first point of the track begins one. */
export function travelledRuns(kinds: Uint8Array): Int32Array {
  const starts = new Int32Array(kinds.length)
  let count = 0
  for (let i = 0; i < kinds.length; i++) if (i === 0 || kinds[i] !== LEG_KINDS.travelled) starts[count++] = i
  return starts.slice(0, count)
}

/**
 * Marks each leg that overlaps a pause for any length of time with 1, at the index of the point where it ends: a lift
 * or a drive on it is not part of the activity (gpx.studio and FIT timers split there too). Touching a pause at one
 * instant is not an overlap. `pauses` are in order and do not overlap each other.
 */
export function pausedLegs(timeMs: Float64Array, pauses: readonly Pause[]): Uint8Array {
  const paused = new Uint8Array(timeMs.length)
  const lasting = pauses.filter(({ fromMs, toMs }) => fromMs < toMs)
  let next = 0
  for (let i = 1; i < timeMs.length && next < lasting.length; i++) {
    while (next < lasting.length && lasting[next].toMs <= timeMs[i - 1]) next++
    if (next < lasting.length && lasting[next].fromMs < timeMs[i]) paused[i] = 1
  }
  return paused
}

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
