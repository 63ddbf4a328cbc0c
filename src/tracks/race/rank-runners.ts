import type { TimeBasis } from '../model/tables.ts'
import type { CheckpointKind } from './checkpoints.ts'
import { type NotedTime, withNotedTimes } from './noted-times.ts'
import type { GatePassing, Standing } from './standing.ts'
import type { Runner } from './start-list.ts'

/** A track as the ranking needs it. */
export type RacedTrack = {
  id: string
  userId: string | null
  title: string
  startMs: number
  standing: Standing
}

/** The race that is ranked. */
type RaceToRank = {
  gates: readonly { kind: CheckpointKind; courseM: number }[]
  gunMs: number | null
  timeBasis: TimeBasis
  /** The start list, in its order; empty if there is none, and then every track is ranked. */
  runners: readonly Runner[]
  tracks: readonly RacedTrack[]
  /** Times that were entered or imported, by the `user_id` of runners on the start list, and then by the gate. */
  times?: ReadonlyMap<string, ReadonlyMap<number, NotedTime>>
}

/** A time of a passing, counted from the start. */
type RankedPassing = GatePassing & { elapsedSec: number | null }

/** A runner's place. Times are in seconds. */
export type RankedRunner = {
  track: RacedTrack | undefined
  runner: Runner | undefined
  rank: number | null
  categoryRank: number | null
  standing: Standing
  passings: RankedPassing[]
  /** From crossing the start line to the last gate that was passed. */
  netSec: number | null
  /** From the common start to it. */
  gunSec: number | null
  /** The time that counts. */
  finishSec: number | null
  /** Behind the fastest so far at the gate that was passed last. */
  gapSec: number | null
}

/** The standing of somebody without positions. */
export const NOT_STARTED: Standing = { state: 'not-started', passings: [], progressM: 0, offCourseM: null }

/** Groups of the ranking, in its order. */
const GROUP = { finished: 0, running: 1, notStarted: 2, unlisted: 3, out: 4 }

/**
 * Ranks runners: finishers by their time, then runners under way by the last gate they passed and their time there,
 * then those who have only started by their progress, then all others in the order of the start list. Times are counted
 * from the common start, or from crossing the start line, as the race wants; where one is not known, from the other.
 * Runners with a status, runners who have only started, and tracks that a start list does not have, get no rank.
 */
export function rankRunners(race: RaceToRank): RankedRunner[] {
  const entries = entriesOf(race).map((entry, order) => ({ ...entry, order, group: groupOf(entry, race) }))
  entries.sort((a, b) => a.group - b.group || compareWithin(a, b, race) || a.order - b.order)
  const leaders = fastestAtGates(entries)
  const ranks = new Ranks()
  return entries.map(({ order: _, group, ...entry }) => {
    const last = timedPassing(entry, race)
    const leader = last === undefined ? undefined : leaders.get(last.gate)
    const gapSec = last?.elapsedSec == null || leader === undefined ? null : Math.max(0, last.elapsedSec - leader)
    if (last === undefined || (group !== GROUP.finished && group !== GROUP.running)) return { ...entry, gapSec }
    const { rank, categoryRank } = ranks.next(entry, group)
    return { ...entry, gapSec, rank, categoryRank }
  })
}

type Entry = Omit<RankedRunner, 'gapSec'>

function entriesOf(race: RaceToRank): Entry[] {
  const byUser = new Map<string, RacedTrack>()
  for (const track of race.tracks) {
    if (track.userId === null) continue
    const other = byUser.get(track.userId)
    if (other === undefined || isFurther(track, other)) byUser.set(track.userId, track)
  }
  const listed = new Set(race.runners.map(({ user_id }) => user_id))
  const ofList = race.runners.map((runner) => entryOf(race, runner, byUser.get(runner.user_id)))
  const others = race.tracks.filter((track) => {
    if (track.userId === null) return true
    return !listed.has(track.userId) && byUser.get(track.userId) === track
  })
  return [...ofList, ...others.map((track) => entryOf(race, undefined, track))]
}

/** Chooses between two tracks of one runner: the track with more gates, then further, then earlier. */
function isFurther(track: RacedTrack, other: RacedTrack): boolean {
  const [a, b] = [track.standing, other.standing]
  if (a.passings.length !== b.passings.length) return a.passings.length > b.passings.length
  if (a.progressM !== b.progressM) return a.progressM > b.progressM
  return track.startMs !== other.startMs ? track.startMs < other.startMs : track.id < other.id
}

function entryOf(race: RaceToRank, runner: Runner | undefined, track: RacedTrack | undefined): Entry {
  const { gates, gunMs, timeBasis, times } = race
  const noted = runner === undefined ? undefined : times?.get(runner.user_id)
  const recorded = track?.standing ?? NOT_STARTED
  const standing = noted === undefined ? recorded : withNotedTimes(recorded, noted, gates)
  const started = standing.passings.find(({ gate }) => gates[gate].kind === 'start')
  const crossedMs = started?.timeMs ?? null
  const baseMs = timeBasis === 'net' ? (crossedMs ?? gunMs) : (gunMs ?? crossedMs)
  const last = standing.passings.at(-1)
  const sinceMs = (fromMs: number | null) =>
    last === undefined || fromMs === null ? null : (last.timeMs - fromMs) / 1000
  const passings = standing.passings.map((passing) => ({
    ...passing,
    elapsedSec: baseMs === null ? null : (passing.timeMs - baseMs) / 1000,
  }))
  return {
    track,
    runner,
    rank: null,
    categoryRank: null,
    standing,
    passings,
    netSec: sinceMs(crossedMs),
    gunSec: sinceMs(gunMs),
    finishSec: standing.state === 'finished' ? sinceMs(baseMs) : null,
  }
}

function groupOf({ runner, standing }: Entry, { runners }: RaceToRank): number {
  if (runner !== undefined && runner.status !== null) return GROUP.out
  if (runner === undefined && runners.length > 0) return GROUP.unlisted
  if (standing.state === 'finished') return GROUP.finished
  return standing.state === 'running' ? GROUP.running : GROUP.notStarted
}

/** Returns the last passing that tells runners apart; undefined for one who has only started: nobody leads there. */
function timedPassing({ passings }: Entry, { gates }: RaceToRank): RankedPassing | undefined {
  return passings.findLast(({ gate }) => gates[gate].kind !== 'start')
}

/** Compares runners of a group: by the last gate, then the time there; before the first gate, by their progress. */
function compareWithin(a: Entry, b: Entry, race: RaceToRank): number {
  const [lastA, lastB] = [timedPassing(a, race), timedPassing(b, race)]
  if (lastA === undefined || lastB === undefined || lastA.gate !== lastB.gate) {
    return (lastB?.gate ?? -1) - (lastA?.gate ?? -1) || b.standing.progressM - a.standing.progressM
  }
  return compareTimes(lastA, lastB)
}

/** Compares elapsed times; without one, a runner follows all who have one, in the order of the clock. */
function compareTimes(a: RankedPassing, b: RankedPassing): number {
  if (a.elapsedSec !== null && b.elapsedSec !== null) return a.elapsedSec - b.elapsedSec
  if (a.elapsedSec === null && b.elapsedSec === null) return a.timeMs - b.timeMs
  return a.elapsedSec === null ? 1 : -1
}

function fastestAtGates(entries: readonly (Entry & { group: number })[]): Map<number, number> {
  const fastest = new Map<number, number>()
  for (const { passings, runner } of entries) {
    if (runner?.status === 'dsq') continue
    for (const { gate, elapsedSec } of passings) {
      if (elapsedSec !== null) fastest.set(gate, Math.min(elapsedSec, fastest.get(gate) ?? elapsedSec))
    }
  }
  return fastest
}

/** Hands out ranks in order. Arrivals in the same tenth of a second share one. */
class Ranks {
  #places = new Map<string | null, { count: number; rank: number; key: string }>()

  next(entry: Entry, group: number): { rank: number; categoryRank: number | null } {
    const last = entry.passings.at(-1)
    const time = last?.elapsedSec == null ? entry.track?.id : last.elapsedSec.toFixed(1)
    const key = `${group} ${last?.gate} ${time}`
    const category = entry.runner?.category
    const rank = this.#next('', key)
    return { rank, categoryRank: category == null ? null : this.#next(`category ${category}`, key) }
  }

  #next(list: string, key: string): number {
    const place = this.#places.get(list) ?? { count: 0, rank: 0, key: '' }
    const count = place.count + 1
    const rank = place.key === key ? place.rank : count
    this.#places.set(list, { count, rank, key })
    return rank
  }
}
