import type { Kysely } from 'kysely'
import { decodeTail } from '../../chunks/decode-tail.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import type { TracksTables } from '../../storage/tables.ts'
import { readStoredTails, type TailQuery } from '../../storage/track-changes.ts'
import type { ComputingTurns } from '../computing-turns.ts'
import type { PointsPool } from '../points-pool.ts'

/** Encoded bytes that are decoded in the calling thread: it takes a millisecond. */
const INLINE_BYTES = 32_768

/**
 * Returns the ends of tracks by their ids. Tracks without such points are missing.
 * @throws unavailable if too many computations wait
 */
export type DelayedTails = (tails: readonly TailQuery[]) => Promise<ReadonlyMap<string, PointColumns>>

type Deps = { db: Kysely<TracksTables>; pool: Pick<PointsPool, 'tails'>; turns: Pick<ComputingTurns, 'take'> }

/**
 * Creates the reader of the ends of delayed tracks. Such an end is in the midst of the points, in chunks of thousands
 * once they are compacted or of a file, and each step of the shown time moves it: they are decoded in a thread.
 */
export function createDelayedTails({ db, pool, turns }: Deps): DelayedTails {
  return async (queries) => {
    const stored = await readStoredTails(db, queries)
    const tails = stored.map(({ chunks, afterMs, untilMs }) => ({ chunks, afterMs, untilMs }))
    const bytes = tails.flatMap(({ chunks }) => chunks).reduce((sum, { length }) => sum + length, 0)
    const read =
      bytes <= INLINE_BYTES ? tails.map(decodeTail) : await turns.take('spectator', () => pool.tails({ tails }))
    return new Map(stored.map(({ trackId }, i) => [trackId, read[i]]))
  }
}
