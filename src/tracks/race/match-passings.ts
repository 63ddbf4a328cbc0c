import type { Visit } from './follow-track.ts'
import type { Gate } from './gates.ts'

/** Limits of the visits that count. */
type MatchLimits = {
  /** Only visits that were known by then. */
  untilMs: number
  /** Common start; visits before it are of those who warm up. Null without one. */
  gunMs: number | null
}

/** Between two gates, a runner's way is hardly shorter than the course, except in gaps. A lap that is missing shows. */
const LEAST_WAY = 0.85
const WAY_TOLERANCE_METERS = 300
/** The way may differ from the course so much at no cost: receivers add some percent, and runners leave the course. */
const FREE_SHARE = 0.1
const FREE_METERS = 150
/** Two visits in the right order always count more than one, however unlike their way and the course are. */
const MAX_COST = 0.9
/** A runner whose phone records from the middle of the course on is less likely than one from the start. */
const LATE_COST = 0.5
const SAME_SCORE = 1e-9

/**
 * Chooses the visits that are the passings of the gates: each gate at most once, in the order of the course
 * and of time, as many as there can be. A course that comes by the same place several times is told apart
 * by the way that was run between two visits, compared with that along the course. Of equally good visits
 * the first counts, at the start the last.
 * @param visits in the order of time
 */
export function matchPassings(
  visits: readonly Visit[],
  gates: readonly Gate[],
  { untilMs, gunMs }: MatchLimits,
): Visit[] {
  const isKnown = ({ knownMs, replacedMs }: Visit) =>
    knownMs <= untilMs && (replacedMs === undefined || replacedMs > untilMs)
  const counted = visits.filter((visit) => isKnown(visit) && visit.timeMs >= (gunMs ?? visit.timeMs))
  const scores = new Float64Array(counted.length).fill(Number.NEGATIVE_INFINITY)
  const previous = new Int32Array(counted.length).fill(-1)
  let best = -1
  for (let i = 0; i < counted.length; i++) {
    const visit = counted[i]
    const gate = gates[visit.gate]
    scores[i] = firstScore(visit, gate)
    for (let j = 0; j < i; j++) {
      const before = counted[j]
      if (before.gate >= visit.gate || scores[j] === Number.NEGATIVE_INFINITY) continue
      const cost = costBetween(before, visit, gate.courseM - gates[before.gate].courseM)
      if (cost === undefined) continue
      const score = scores[j] + 1 - cost
      const isLaterStart = gates[before.gate].kind === 'start' && score > scores[i] - SAME_SCORE
      if (score <= scores[i] + SAME_SCORE && !isLaterStart) continue
      scores[i] = score
      previous[i] = j
    }
    if (isBetterEnd(i)) best = i
  }
  const chosen: Visit[] = []
  for (let i = best; i !== -1; i = previous[i]) chosen.unshift(counted[i])
  return chosen

  function isBetterEnd(i: number): boolean {
    if (scores[i] === Number.NEGATIVE_INFINITY) return false
    if (best === -1 || scores[i] > scores[best] + SAME_SCORE) return true
    if (scores[i] < scores[best] - SAME_SCORE) return false
    const [gate, bestGate] = [counted[i].gate, counted[best].gate]
    return gate > bestGate || (gate === bestGate && gates[gate].kind === 'start')
  }
}

/** Scores a visit as the first one. Nobody finishes without having run the course, recorded or not. */
function firstScore({ travelledM, unseenM }: Visit, { kind, courseM }: Gate): number {
  if (kind === 'start' || travelledM + unseenM + WAY_TOLERANCE_METERS >= courseM * LEAST_WAY) return 1
  return kind === 'finish' ? Number.NEGATIVE_INFINITY : 1 - LATE_COST
}

/** Returns how unlike the way between two visits is to the course between their gates; undefined if it is too short. */
function costBetween(from: Visit, to: Visit, courseM: number): number | undefined {
  if (to.timeMs <= from.timeMs) return undefined
  const wayM = to.travelledM - from.travelledM
  const unseenM = to.unseenM - from.unseenM
  if (wayM + unseenM + WAY_TOLERANCE_METERS < courseM * LEAST_WAY) return undefined
  const free = FREE_SHARE * courseM + FREE_METERS
  const unlikeM = wayM < courseM ? Math.max(0, courseM - wayM - unseenM) : wayM - courseM
  return Math.min(MAX_COST, Math.max(0, unlikeM - free) / (courseM + WAY_TOLERANCE_METERS))
}
