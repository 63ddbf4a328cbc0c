import { inTime } from '#platform/basics/timers.ts'

/** Shortest time between two rankings of a series of frames. Each ranks all runners. */
const REST_MS = 4000
/** Time for which a frame waits for a ranking. After that it has the ranks of before, and a later one the new ones. */
const WAIT_MS = 300
/** Age of a ranking that is new enough. */
export const RANKS_AGE_MS = REST_MS / 2

/** Ranks of an event by the tracks of their runners. */
type Ranks = ReadonlyMap<string, number>

/**
 * Creates the reader of ranks for a series of frames, which come more often than all runners can be ranked.
 * @param read reads the ranks as known at a time; Infinity for now
 * @param onError called with the failure of a ranking. The ranks of before stay
 */
export function createRaceRanks(
  read: (untilMs: number) => Promise<Ranks>,
  onError: (error: unknown) => void,
): (untilMs: number) => Promise<Ranks> {
  let ranks: Ranks = new Map()
  let reading: Promise<void> | undefined
  let nextAtMs = 0
  let ofMs = Number.NaN

  async function refresh(untilMs: number): Promise<void> {
    ranks = await read(untilMs)
  }

  return async (untilMs) => {
    const isDue = untilMs !== ofMs || untilMs === Number.POSITIVE_INFINITY
    if (reading === undefined && isDue && performance.now() >= nextAtMs) {
      ofMs = untilMs
      reading = refresh(untilMs)
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
