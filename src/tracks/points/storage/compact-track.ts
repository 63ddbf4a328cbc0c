import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ChunkRow, TracksTables } from '../../model/tables.ts'
import { isChunkDamaged } from '../chunks/bytes.ts'
import { type EncodedChunk, MAX_CHUNK_POINTS } from '../chunks/chunk-codec.ts'

/** Merges chunks into fewer chunks with the same points. */
type Merge = (chunks: Uint8Array[]) => Promise<EncodedChunk[]>

/**
 * Compacts the small chunks of a track, run by run. The points are read and encoded outside any transaction. One
 * transaction then replaces a run, only if its chunks are still those that were read: points that arrive meanwhile are
 * never lost, and their run is left for the next time. A crash leaves either the old chunks or the new ones.
 * @param damaged first times of chunks that cannot be read; those that are found are added, and the others compacted
 * @returns the number of chunks that were replaced.
 */
export async function compactTrack(
  db: Kysely<TracksTables>,
  trackId: string,
  merge: Merge,
  damaged: Set<number>,
): Promise<number> {
  let replaced = 0
  const runs = planCompaction(await chunkHeads(db, trackId), damaged)
  for (const run of runs) {
    const rows = await db
      .selectFrom('chunks')
      .select('bytes')
      .where('track_id', '=', trackId)
      .where('first_ms', '>=', run[0].firstMs)
      .where('first_ms', '<=', run[run.length - 1].firstMs)
      .orderBy('first_ms')
      .execute()
    if (rows.length !== run.length) continue
    const merged = await unlessDamaged(() => merge(rows.map(({ bytes }) => bytes)))
    if (merged === undefined) {
      const known = damaged.size
      for (const [at, { bytes }] of rows.entries()) {
        if ((await unlessDamaged(() => merge([bytes]))) === undefined) damaged.add(run[at].firstMs)
      }
      if (damaged.size > known) runs.push(...planCompaction(run, damaged))
    } else if (await replaceRun(db, trackId, run, merged)) {
      replaced += run.length
    }
  }
  return replaced
}

/** Returns the result of a merge; undefined if one of its chunks is damaged. */
async function unlessDamaged<Result>(merge: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await merge()
  } catch (error) {
    if (isChunkDamaged(error)) return undefined
    throw error
  }
}

/** Finds tracks with at least `minChunks` uncompacted chunks, or with any and no new point since `quietBeforeMs`. */
export async function findUncompacted(
  db: Kysely<TracksTables>,
  minChunks: number,
  quietBeforeMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where(IS_TO_COMPACT)
    .where('loose_chunks', '>', 0)
    .where((or) => or.or([or('loose_chunks', '>=', minChunks), or('updated_at', '<', quietBeforeMs)]))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The condition of the index: one with a parameter would not use it. */
const IS_TO_COMPACT = sql<boolean>`to_compact = 1`

/** Takes the mark from compacted tracks that have not changed since `quietBeforeMs`. Their next batch sets it again. */
export async function unmarkCompacted(db: Kysely<TracksTables>, quietBeforeMs: number): Promise<void> {
  await db
    .updateTable('tracks')
    .set({ to_compact: 0 })
    .where(IS_TO_COMPACT)
    .where('loose_chunks', '=', 0)
    .where('updated_at', '<', quietBeforeMs)
    .execute()
}

/** Thrown to roll back; never leaves this file. */
const CHANGED = Symbol('changed')

/**
 * Replaces a run with merged chunks. Returns false if its chunks have changed since they were read, or the track is
 * gone. Three statements: for a busy track this is done every hundred batches, and each is an exchange with the
 * database.
 */
async function replaceRun(
  db: Kysely<TracksTables>,
  trackId: string,
  run: readonly ChunkHead[],
  merged: EncodedChunk[],
): Promise<boolean> {
  try {
    await inTransaction(db, (transaction) => replaceLocked(transaction, trackId, run, merged))
    return true
  } catch (error) {
    if (error === CHANGED) return false
    throw error
  }
}

async function replaceLocked(
  transaction: Transaction<TracksTables>,
  trackId: string,
  run: readonly ChunkHead[],
  merged: EncodedChunk[],
): Promise<void> {
  const uncompacted = run.filter((head) => !head.merged).length
  // Every change of a track's chunks changes its row too, so this waits for them and keeps others away.
  const { numUpdatedRows } = await transaction
    .updateTable('tracks')
    .set({ loose_chunks: sql`case when loose_chunks > ${uncompacted} then loose_chunks - ${uncompacted} else 0 end` })
    .where('id', '=', trackId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw CHANGED
  const removed = await transaction
    .deleteFrom('chunks')
    .where('track_id', '=', trackId)
    .where('first_ms', '>=', run[0].firstMs)
    .where('first_ms', '<=', run[run.length - 1].lastMs)
    .returning(HEAD)
    .execute()
  if (!sameChunks(removed.map(toHead).sort(byTime), run)) throw CHANGED
  const rows = merged.map((chunk) => ({
    track_id: trackId,
    first_ms: chunk.firstMs,
    last_ms: chunk.lastMs,
    count: chunk.count,
    merged: 1,
    bytes: chunk.bytes,
  }))
  await transaction.insertInto('chunks').values(rows).execute()
}

function sameChunks(now: readonly ChunkHead[], then: readonly ChunkHead[]): boolean {
  return (
    now.length === then.length &&
    now.every(
      (head, i) => head.firstMs === then[i].firstMs && head.lastMs === then[i].lastMs && head.count === then[i].count,
    )
  )
}

const HEAD = ['first_ms', 'last_ms', 'count', 'merged'] as const

async function chunkHeads(db: Kysely<TracksTables>, trackId: string): Promise<ChunkHead[]> {
  const rows = await db.selectFrom('chunks').select(HEAD).where('track_id', '=', trackId).orderBy('first_ms').execute()
  return rows.map(toHead)
}

function toHead(row: Pick<ChunkRow, (typeof HEAD)[number]>): ChunkHead {
  return { firstMs: row.first_ms, lastMs: row.last_ms, count: row.count, merged: row.merged === 1 }
}

function byTime(a: ChunkHead, b: ChunkHead): number {
  return a.firstMs - b.firstMs
}

/** The data of a chunk that is known without reading its points. */
type ChunkHead = { firstMs: number; lastMs: number; count: number; merged: boolean }

/** Maximum number of points merged at once; it bounds the memory of a merge. */
const MAX_RUN_POINTS = 16 * MAX_CHUNK_POINTS

/**
 * Returns the runs of chunks to merge, from the chunks of a track in time order: each run of neighbours that have not
 * been merged, with the merged chunk before them when that one is less than half full. So a long recording ends as full
 * chunks, and each point is rewritten only a few times.
 * @param damaged first times of chunks that cannot be read, which no run contains
 */
function planCompaction(heads: readonly ChunkHead[], damaged: ReadonlySet<number>): ChunkHead[][] {
  const runs: ChunkHead[][] = []
  let run: ChunkHead[] = []
  let points = 0
  const close = () => {
    if (run.some((head) => !head.merged)) runs.push(run)
    run = []
    points = 0
  }
  for (const head of heads) {
    if (damaged.has(head.firstMs)) {
      close()
      continue
    }
    const fillable = head.merged && head.count < MAX_CHUNK_POINTS / 2
    if ((head.merged && run.length > 0 && !fillable) || points + head.count > MAX_RUN_POINTS) close()
    if (head.merged && !fillable) continue
    run.push(head)
    points += head.count
  }
  close()
  return runs
}
