import { inTime } from '#platform/basics/timers.ts'
import type { RanksAt } from './frame-maker.ts'

/** Shortest time between two rankings of a series. Each ranks all runners. */
const REST_MS = 4000
/** Time for which a frame waits for a ranking. After that it has the ranks of before, and a later one the new ones. */
const WAIT_MS = 300

const NO_RANKS: ReadonlyMap<string, number> = new Map()

/** Everything that ranks are read from: races, of which an event without one has revision 0, and their rankings. */
export type RankDeps = {
  races: { findSummary(eventId: string): Promise<{ revision: number }> }
  raceBoards: {
    ranking(
      eventId: string,
      options: { untilMs: number; maxAgeMs: number },
    ): Promise<{ entries: readonly { track_id: string | null; rank: number | null }[] }>
  }
  /** Called with the failure of a ranking. The ranks of before stay. */
  onError: (error: unknown) => void
}

/** Creates the reader of the ranks of one event, for one series of frames. */
export function createRaceRanks({ races, raceBoards, onError }: RankDeps, eventId: string): RanksAt {
  let ranks = NO_RANKS
  let reading: Promise<void> | undefined
  let nextAtMs = 0
  let ofMs = Number.NaN

  async function read(untilMs: number): Promise<void> {
    const { revision } = await races.findSummary(eventId)
    if (revision === 0) {
      ranks = NO_RANKS
      return
    }
    const { entries } = await raceBoards.ranking(eventId, { untilMs, maxAgeMs: REST_MS / 2 })
    ranks = new Map(
      entries.flatMap(({ track_id, rank }) => (track_id === null || rank === null ? [] : [[track_id, rank] as const])),
    )
  }

  return async (untilMs) => {
    const isDue = untilMs !== ofMs || untilMs === Number.POSITIVE_INFINITY
    if (reading === undefined && isDue && performance.now() >= nextAtMs) {
      ofMs = untilMs
      reading = read(untilMs)
        .catch(onError)
        .finally(() => {
          reading = undefined
          nextAtMs = performance.now() + REST_MS
        })
    }
    if (reading !== undefined) await inTime(WAIT_MS, reading)
    return ranks
  }
}
