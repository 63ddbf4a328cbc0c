import type { ActivityType } from '../../domain/activity-type.ts'
import type { Pause } from '../../domain/pauses.ts'
import { isTeleport } from '../speed/plausible-speed.ts'
import { stoppedBelowMps } from '../speed/standing-speed.ts'
import { secondsBetween, type Trace } from '../trace/trace.ts'
import { pausedLegs } from './paused-legs.ts'
import { stoppedLegs } from './stopped-legs.ts'

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
