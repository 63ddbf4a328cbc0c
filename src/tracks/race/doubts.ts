import type { Gate } from './checkpoints.ts'
import { type FollowedTrack, type FollowSettings, followedToEnd, latestPosition } from './follow-track.ts'
import { finalStops, STOP_MS } from './line-stops.ts'
import { type GatePassing, isFarEnough, type Standing } from './standing.ts'
import type { Runner } from './start-list.ts'
import type { Visit } from './visits.ts'

/** A kind of doubt: a stop or turn at the finish, a gate without a time, another time that fits better, or silence. */
type DoubtKind = 'near_stop' | 'missed' | 'two_passings' | 'silent'

/** A time of a runner about which an operator has to decide. */
type Doubt = {
  kind: DoubtKind
  gate: number
  /** The time that is proposed. */
  timeMs: number
  /** True if it follows from the pace and not from a position there. */
  isEstimated: boolean
  /** Metres from the finish: of a stop from the line, of a silence along the course; null for the others. */
  awayM: number | null
  /** The time that counts at present; null if none does. */
  countedMs: number | null
  /** The part of the track that shows it. */
  fromMs: number
  untilMs: number
}

/** A doubt with the runner of the start list whom it concerns. */
export type RunnerDoubt = Doubt & {
  runner: Runner
  trackId: string
  checkpoint: { id: string; name: string }
  /** Time of the last point of the track. */
  lastMs: number | null
}

/** A runner whose recording is judged. */
type JudgedRunner = {
  /** With times by hand and imported ones. */
  standing: Standing
  track: FollowedTrack
  /** True if the recording was stopped, and no points are to be expected. */
  hasStopped: boolean
}

type JudgedRace = { settings: FollowSettings; gunMs: number | null; nowMs: number; silentAfterMs: number }

/** A phone that falls silent in the last part of the course has probably come to the finish. */
const LAST_METERS = 1000
/** Of two visits, the other is doubtful only if the way to it fits the course better by more than receivers err. */
const FIT_SHARE = 0.03
const FIT_METERS = 200
/** Pace of runners who have none yet. */
const USUAL_MPS = 2
/** Time shown before and after a doubtful moment. */
const AROUND_MS = 120_000

/**
 * Returns the doubts about a runner, in the order of the course. It is a pure function of the same data as the
 * ranking: a time that is entered or imported settles the doubts about its gate.
 */
export function doubtsOf(runner: JudgedRunner, race: JudgedRace): Doubt[] {
  const whole = { ...runner, track: followedToEnd(runner.track, race.settings) }
  const { gates } = race.settings
  const doubts = [...missedGates(whole, race), ...betterVisits(whole, race)]
  const finish = gates.findIndex(({ kind }) => kind === 'finish')
  if (finish !== -1 && whole.standing.state === 'running') {
    const doubt = nearStop(whole, race, finish) ?? silence(whole, race, finish)
    if (doubt !== undefined) doubts.push(doubt)
  }
  return doubts.sort((a, b) => a.gate - b.gate)
}

/**
 * Returns where a runner came nearest to the finish, to stop or to turn, after everything else, and after a way as long
 * as the course. Who has turned may be about to cross the line: that is known a minute later.
 */
function nearStop({ standing, track }: JudgedRunner, race: JudgedRace, finish: number): Doubt | undefined {
  const { gates } = race.settings
  const stops = [...track.nearStops, ...finalStops(track.nearStays, gates, race.nowMs)]
  const last = recordedVisits(standing.passings, track).at(-1)
  const afterMs = standing.passings.at(-1)?.timeMs ?? race.gunMs ?? Number.NEGATIVE_INFINITY
  const knownMs = Math.max(race.nowMs, track.lastMs ?? 0) - STOP_MS
  const [stop] = stops
    .filter((one) => one.timeMs > afterMs && one.timeMs <= knownMs && isReached(one, last, gates))
    .sort((a, b) => (a.awayM ?? 0) - (b.awayM ?? 0))
  if (stop === undefined) return undefined
  const { timeMs, awayM = 0 } = stop
  return { ...blank('near_stop', finish, timeMs), awayM, fromMs: timeMs - 2 * AROUND_MS }
}

function isReached(visit: Visit, last: Visit | undefined, gates: readonly Gate[]): boolean {
  const courseM = gates[visit.gate].courseM - (last === undefined ? 0 : gates[last.gate].courseM)
  const wayM = visit.travelledM - (last?.travelledM ?? 0)
  const unseenM = visit.unseenM - (last?.unseenM ?? 0)
  return isFarEnough(visit, 'checkpoint', wayM, unseenM, courseM)
}

/** Returns the silence of a phone on the last part of the course: its battery has died, or it was switched off. */
function silence({ standing, track, hasStopped }: JudgedRunner, race: JudgedRace, finish: number): Doubt | undefined {
  const { settings, nowMs, silentAfterMs } = race
  const last = latestPosition(track)
  const toGoM = settings.gates[finish].courseM - standing.progressM
  if (last === undefined || toGoM > LAST_METERS) return undefined
  const isSilent = hasStopped || nowMs - (track.lastMs ?? last.timeMs) >= silentAfterMs
  const isLater = last.timeMs > (standing.passings.at(-1)?.timeMs ?? race.gunMs ?? Number.NEGATIVE_INFINITY)
  if (!isSilent || !isLater) return undefined
  const seen = [...anchorsOf(standing, race), { courseM: standing.progressM, timeMs: last.timeMs }]
  const timeMs = timeAt(settings.gates[finish].courseM, seen)
  return {
    ...blank('silent', finish, timeMs),
    isEstimated: true,
    awayM: Math.max(0, toGoM),
    fromMs: last.timeMs - 2 * AROUND_MS,
    untilMs: last.timeMs,
  }
}

/**
 * Returns the gates without a time before one that the recording has passed. Without a common start, the start line is
 * one of them, because the runner has no time at all.
 */
function missedGates({ standing }: JudgedRunner, race: JudgedRace): Doubt[] {
  const { gates } = race.settings
  const { passings } = standing
  const lastRecorded = passings.findLast(({ recordedMs }) => recordedMs !== null)?.gate ?? -1
  const anchors = anchorsOf(standing, race)
  return gates.slice(0, Math.max(0, lastRecorded)).flatMap(({ kind, courseM }, gate): Doubt[] => {
    const isTimed = passings.some((passing) => passing.gate === gate)
    if (isTimed || (kind === 'start' && race.gunMs !== null)) return []
    const timeMs = timeAt(courseM, anchors)
    const before = passings.findLast((passing) => passing.gate < gate)?.timeMs ?? timeMs - AROUND_MS
    const after = passings.find((passing) => passing.gate > gate)!.timeMs
    return [{ ...blank('missed', gate, timeMs), isEstimated: true, fromMs: before, untilMs: after }]
  })
}

/** Returns the passings for which another visit of the gate fits the way along the course clearly better. */
function betterVisits({ standing, track }: JudgedRunner, { settings, gunMs }: JudgedRace): Doubt[] {
  const { gates } = settings
  const chosen = recordedVisits(standing.passings, track)
  return chosen.flatMap((visit, i): Doubt[] => {
    const { gate, timeMs } = visit
    if (!standing.passings.some((one) => one.gate === gate && one.timeMs === timeMs)) return []
    const [before, next] = [chosen[i - 1], chosen[i + 1]]
    const fromMs = before?.timeMs ?? gunMs ?? Number.NEGATIVE_INFINITY
    const untilMs = next?.timeMs ?? Number.POSITIVE_INFINITY
    const others = track.visits.filter((one) => {
      const isOther = one.gate === gate && one !== visit && one.replacedMs === undefined
      return isOther && one.timeMs > fromMs && one.timeMs < untilMs
    })
    const misfit = (one: Visit) => misfitM(before, one, gates) + (next === undefined ? 0 : misfitM(one, next, gates))
    const best = others.toSorted((a, b) => misfit(a) - misfit(b))[0]
    if (best === undefined) return []
    const spanM =
      (next === undefined ? gates[gate] : gates[next.gate]).courseM - (before ? gates[before.gate].courseM : 0)
    if (misfit(visit) - misfit(best) <= FIT_SHARE * spanM + FIT_METERS) return []
    const around = { fromMs: Math.min(timeMs, best.timeMs), untilMs: Math.max(timeMs, best.timeMs) }
    return [{ ...blank('two_passings', gate, best.timeMs), countedMs: timeMs, ...around }]
  })
}

/**
 * Returns by how many metres the way between two visits differs from the course; without a first one, from its
 * beginning.
 */
function misfitM(from: Visit | undefined, to: Visit, gates: readonly Gate[]): number {
  // The way before the start line is not known.
  if (from === undefined && gates[to.gate].kind === 'start') return 0
  const courseM = gates[to.gate].courseM - (from === undefined ? 0 : gates[from.gate].courseM)
  const wayM = to.travelledM - (from?.travelledM ?? 0)
  const unseenM = to.unseenM - (from?.unseenM ?? 0)
  return wayM < courseM ? Math.max(0, courseM - wayM - unseenM) : wayM - courseM
}

/** Returns the visits that are the passings of the recording. */
function recordedVisits(passings: readonly GatePassing[], { visits }: FollowedTrack): Visit[] {
  return passings.flatMap(
    ({ gate, recordedMs }) => visits.find((visit) => visit.gate === gate && visit.timeMs === recordedMs) ?? [],
  )
}

type Anchor = { courseM: number; timeMs: number }

/** Returns where along the course a runner was at which times: the common start, and the passings. */
function anchorsOf({ passings }: Standing, { settings, gunMs }: JudgedRace): Anchor[] {
  const { gates } = settings
  const passed = passings.map(({ gate, timeMs }) => ({ courseM: gates[gate].courseM, timeMs }))
  return gunMs === null || passed[0]?.courseM === 0 ? passed : [{ courseM: 0, timeMs: gunMs }, ...passed]
}

/** Returns about when a runner was at a place: at the pace between the places around it, or at the whole pace. */
function timeAt(courseM: number, anchors: readonly Anchor[]): number {
  const after = anchors.find((anchor) => anchor.courseM >= courseM)
  const before = anchors.findLast((anchor) => anchor.courseM < courseM)
  const [from, to] = after !== undefined && before !== undefined ? [before, after] : [anchors[0], anchors.at(-1)!]
  const mps = ((to.courseM - from.courseM) / (to.timeMs - from.timeMs)) * 1000
  const near = before ?? after!
  return near.timeMs + ((courseM - near.courseM) / (mps > 0 && Number.isFinite(mps) ? mps : USUAL_MPS)) * 1000
}

function blank(kind: DoubtKind, gate: number, timeMs: number): Doubt {
  const around = { fromMs: timeMs - AROUND_MS, untilMs: timeMs + AROUND_MS }
  return { kind, gate, timeMs, isEstimated: false, awayM: null, countedMs: null, ...around }
}
