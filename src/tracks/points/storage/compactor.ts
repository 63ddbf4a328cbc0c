import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ChunkRow, TracksTables } from '../../model/tables.ts'
import { isChunkDamaged } from '../chunks/bytes.ts'
import { type EncodedChunk, MAX_CHUNK_POINTS } from '../chunks/chunk-codec.ts'
import type { ComputeScheduler } from '../turns.ts'

/**
 * Uncompacted chunks from which a track that is still recording is compacted: an hour of a phone's batches. The cost of
 * compacting for the main thread hardly depends on their number, and reading them all takes 1 ms.
 */
export const MIN_UNCOMPACTED_CHUNKS = 128
/** A track without new points for this long is compacted in any case. */
const QUIET_MS = 5 * 60_000
/** A compacted track without new points for this long is no longer searched. */
const SEARCHED_MS = 20 * 60_000
const SEARCH_LIMIT = 200
/** Further tracks are dropped. The search finds them later. */
const MAX_WAITING = 10_000
/** Compaction starts this much later, so that the client that has just finished a track gets its statistics first. */
const COMPACT_AFTER_MS = 200
/** Freeing space blocks the writer for some milliseconds, so it is done once for all compactions in this time. */
const MAINTAIN_AFTER_MS = 1000

type CompactorOptions = {
  db: Kysely<TracksTables>
  pool: { merge(task: { chunks: Uint8Array[] }): Promise<EncodedChunk[]> }
  turns: ComputeScheduler
  logger: Logger
  now: () => number
  /**
   * Called after chunks of a track were compacted. Its next batches would otherwise go on to announce their number as
   * it was before, and each of them would have the track compacted again.
   */
  onCompacted: (trackId: string) => void
  /** Called a moment after compaction, to free space. */
  onIdle: () => Promise<void>
}

/** Compacts the small chunks of tracks in the background, one track at a time. */
export class Compactor {
  readonly #options: CompactorOptions
  readonly #queue = new Set<string>()
  /** First times of the damaged chunks of tracks. Trying them again before a restart would only fill the log. */
  readonly #damaged = new Map<string, Set<number>>()
  #working: Promise<void> | undefined
  #maintenance: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  constructor(options: CompactorOptions) {
    this.#options = options
  }

  get queueLength(): number {
    return this.#queue.size
  }

  /** Queues a track. */
  add(trackId: string): void {
    if (this.#closed || this.#queue.size >= MAX_WAITING) return
    this.#queue.add(trackId)
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
    })
  }

  /** Resolves when the queue is empty. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  /** Stops after the current track. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#maintenance)
    this.#queue.clear()
    await this.#working
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  async #work(): Promise<void> {
    await wait(COMPACT_AFTER_MS, undefined, { signal: this.#closing.signal }).catch(() => {})
    for (const trackId of this.#queue) {
      this.#queue.delete(trackId)
      await this.#compact(trackId)
    }
    if (!this.#closed) this.#maintenance ??= setTimeout(() => void this.#maintain(), MAINTAIN_AFTER_MS).unref()
  }

  async #maintain(): Promise<void> {
    const { onIdle, logger } = this.#options
    this.#maintenance = undefined
    await onIdle().catch((err) => {
      if (!this.#closed) logger.warn({ err }, 'database maintenance failed')
    })
  }

  async #compact(trackId: string): Promise<void> {
    const { db, pool, turns, logger, onCompacted } = this.#options
    const damaged = new Set(this.#damaged.get(trackId))
    const knownDamaged = damaged.size
    try {
      const merge = (chunks: Uint8Array[]) => turns.take('maintenance', () => pool.merge({ chunks }))
      const replaced = await compactTrack(db, trackId, merge, damaged)
      if (replaced > 0) onCompacted(trackId)
    } catch (err) {
      if (this.#closed) return
      // The search finds the track again.
      logger.error({ err, trackId }, 'compacting a track failed')
    }
    if (damaged.size === knownDamaged) return
    this.#damaged.set(trackId, damaged)
    logger.error({ trackId, firstTimesMs: [...damaged] }, 'chunks of a track are damaged; the others were compacted')
  }

  /** Queues tracks that were not announced: after a restart, or by another instance. */
  async search(): Promise<void> {
    const { db, now } = this.#options
    for (const id of await findUncompacted(db, MIN_UNCOMPACTED_CHUNKS, now() - QUIET_MS, SEARCH_LIMIT)) this.add(id)
    await unmarkCompacted(db, now() - SEARCHED_MS)
  }
}

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
