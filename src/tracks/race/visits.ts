import type { Gate } from './checkpoints.ts'

/**
 * A visit of a gate: a crossing of its line, or an entry into its circle; at the start, the exit from it. A stop near a
 * start or finish line is a visit as well.
 */
export type Visit = {
  /** Index of the gate, in the order of the course. */
  gate: number
  timeMs: number
  /** Time of the position that showed it, such as the second of the two between which it happened. */
  knownMs: number
  /** The visit happened within plus or minus so many seconds. */
  intervalSec: number
  travelledM: number
  /** Metres that may have been run unseen by then, in gaps of the recording. */
  unseenM: number
  /** Metres run at the latest of the visits that count as this one. */
  untilTravelledM: number
  /** Metres from the line at which the runner stopped; missing for a crossing. */
  awayM?: number
  /** Time from which another one was known that counts in its place; missing if none does. Kept with a trail only. */
  replacedMs?: number
}

/** Visits of a gate within this way are one: the runner walks about it, or the receiver jumps across it. */
const SAME_VISIT_METERS = 200
/** Visits of a gate that are kept. No race passes a place more often. */
const MAX_VISITS_PER_GATE = 60
/** A receiver errs by so much: a stop this close to a line is at it, and a crossing after the stop is its drift. */
export const AT_LINE_METERS = 15

type VisitRules = { gates: readonly Gate[]; trailMs: number }

/**
 * Returns visits with another one. Of several within a short way, one counts: the first, at the start the last, and
 * crossings before stops.
 * @param passesMs time at which the visit turned out to be none
 */
export function addVisit(visits: readonly Visit[], visit: Visit, rules: VisitRules, passesMs?: number): Visit[] {
  const { gates, trailMs } = rules
  let ofGate = 0
  let before = -1
  for (let i = 0; i < visits.length; i++) {
    if (visits[i].gate !== visit.gate || visits[i].replacedMs !== undefined) continue
    ofGate++
    before = i
  }
  const isSame = before !== -1 && visit.travelledM - visits[before].untilTravelledM <= SAME_VISIT_METERS
  if (isSame && (passesMs !== undefined || !replaces(visit, visits[before], gates[visit.gate]))) {
    const untilTravelledM = Math.max(visits[before].untilTravelledM, visit.travelledM)
    return passesMs !== undefined ? [...visits] : visits.with(before, { ...visits[before], untilTravelledM })
  }
  if (passesMs !== undefined && trailMs === 0) return [...visits]
  if (!isSame && ofGate >= MAX_VISITS_PER_GATE) return [...visits]
  // Spectators with a delay see the former until they may know of the latter.
  const others = isSame ? visits.with(before, { ...visits[before], replacedMs: visit.knownMs }) : visits
  const isKept = ({ replacedMs }: Visit) =>
    replacedMs === undefined || (trailMs > 0 && replacedMs > visit.knownMs - 2 * trailMs)
  return [...others.filter(isKept), passesMs === undefined ? visit : { ...visit, replacedMs: passesMs }]
}

function replaces(visit: Visit, before: Visit, { kind }: Gate): boolean {
  const lastCounts = kind === 'start'
  if (visit.awayM === undefined)
    return before.awayM === undefined ? lastCounts : lastCounts || before.awayM > AT_LINE_METERS
  if (before.awayM === undefined) return false
  return lastCounts || (before.awayM > AT_LINE_METERS && visit.awayM < before.awayM)
}
