import type { Ranking } from '../schemas/race.ts'
import type { RaceBoards } from '../timing/race-boards.ts'
import type { OpenShare } from './open-share.ts'

export type RankingDeps = { raceBoards: Pick<RaceBoards, 'ranking'> }

/** Spectators share a ranking of at most this age: thousands may ask at the same time. */
const MAX_AGE_MS = 1000

/** Returns the ranking that a share shows: nothing later than its delay, and of a single track its own entry. */
export async function sharedRanking({ raceBoards }: RankingDeps, share: OpenShare): Promise<Ranking> {
  const ranking = await raceBoards.ranking(share.event_id, { untilMs: share.shownUntilMs, maxAgeMs: MAX_AGE_MS })
  if (share.track_id === null) return ranking
  return { ...ranking, entries: ranking.entries.filter(({ track_id }) => track_id === share.track_id) }
}
