import type { TrackState } from '../model/track-state.ts'
import type { RankingEntry } from './result-schemas.ts'

// Recordings that belong to runners, and how a runner is doing. Also runs in the browser.

/**
 * State of a runner in a race; `ended` has left it, or stopped the recording before its finish. Outside of a race it is
 * the state of the track.
 */
export type RunnerState = TrackState | 'ended'

/** An entry of a ranking whose track is a runner's, or one of somebody else, such as of another day. */
export type MarkedEntry<Entry> = Entry & { isRunner: boolean }

/** Marks the entries of runners. Without a start list, everybody who has been on the course is a runner. */
export function markRunners<Entry extends { bib: string | null; state: RankingEntry['state'] }>(
  entries: readonly Entry[],
): MarkedEntry<Entry>[] {
  const hasList = entries.some(({ bib }) => bib !== null)
  return entries.map((entry) => ({
    ...entry,
    isRunner: entry.bib !== null || (!hasList && entry.state !== 'not-started'),
  }))
}

/** Returns the passing that an entry is ranked by, the last one; undefined for a runner who has only started. */
export function rankedPassing({ net_sec, passings }: RankingEntry): RankingEntry['passings'][number] | undefined {
  return net_sec === 0 ? undefined : passings.at(-1)
}

/** Statuses of runners who have left the race. A runner over the limit is still on the way. */
const HAS_LEFT = { dns: true, dnf: true, dsq: true, over_limit: false } as const

/** The entry of a track in the race; undefined for a track without one. */
type InRace = { status: RankingEntry['status']; state: RankingEntry['state']; isRunner: boolean } | undefined

/**
 * Returns the state of a runner. In a race, runners who have arrived have finished even if their phones go on, and no
 * other runner has.
 */
export function runnerState(state: TrackState, race: InRace): RunnerState {
  if (race === undefined) return state
  if (race.status !== null && HAS_LEFT[race.status]) return 'ended'
  if (race.state === 'finished') return 'stopped'
  return state === 'stopped' && race.isRunner ? 'ended' : state
}
