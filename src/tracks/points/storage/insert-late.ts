import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { trackFull, trackNotFound } from '../../model/errors.ts'
import type { ChunkRow, TracksTables } from '../../model/tables.ts'
import { updateTimes } from '../../model/tracks-store.ts'
import { type AppendPlan, type AppendTask, planAppends, type StoredBytes } from '../chunks/chunk-plan.ts'
import { firstIndexAfter, firstIndexAtOrAfter, type PointColumns, sliceColumns } from '../point-columns.ts'
import { MAX_POINTS_PER_TRACK } from './append-tail.ts'
import { chunkRow } from './chunks-store.ts'

/** Attempts to plan a step with no change of its chunks meanwhile. After that, the track is locked. */
const MAX_ATTEMPTS = 3

/** Points that are planned in the calling thread: they take a millisecond or two, less than to hand them to another. */
const INLINE_POINTS = 2048

/** Plans how to add batches, in another thread. */
export type PlanElsewhere = (task: AppendTask) => Promise<AppendPlan>

export type LateWork = {
  db: Kysely<TracksTables>
  now: () => number
  planElsewhere: PlanElsewhere
  /** Runs work on the database when it is its turn. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
}

/** The batches that were refused, by their index, and the track's chunks that are not compacted. */
type LateReceipt = { refused: ReadonlySet<number>; uncompactedChunks: number }

/** Receives the number of new points of a batch that a step has stored. */
type OnAdded = (batch: number, addedCount: number) => void

/**
 * Adds batches anywhere in a track, in steps of limited size. A step reads and plans without a lock. Its transaction
 * checks that the chunks have not changed since, so that it is short and each point is stored once. `onAdded` hears of
 * each step, because the steps before one that fails stay stored.
 * @throws trackNotFound, trackFull
 */
export async function insertLate(
  deps: LateWork,
  trackId: string,
  batches: readonly PointColumns[],
  onAdded: OnAdded,
): Promise<LateReceipt> {
  const refused = new Set<number>()
  const lastMs = Math.max(...batches.map(({ timeMs, count }) => timeMs[count - 1]))
  let uncompactedChunks = 0
  for (let fromMs = Math.min(...batches.map(({ timeMs }) => timeMs[0])); fromMs <= lastMs; ) {
    const { step, plan, uncompacted } = await insertStep(deps, trackId, batches, fromMs)
    for (const [i, { index }] of step.batches.entries()) {
      const added = plan.addedCounts[i]
      if (added === undefined) refused.add(index)
      else onAdded(index, added)
    }
    uncompactedChunks = uncompacted
    fromMs = step.toMs + 1
  }
  return { refused, uncompactedChunks }
}

type StoredStep = { step: LateStep; plan: AppendPlan; uncompacted: number }

async function insertStep(
  deps: LateWork,
  trackId: string,
  batches: readonly PointColumns[],
  fromMs: number,
): Promise<StoredStep> {
  const { db, now, inTurn } = deps
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const step = await inTurn(() => readLateStep(db, trackId, batches, fromMs))
    const plan = await planStep(deps, step)
    // Known points, the usual case of a repeated request, need no transaction.
    if (plan.inserted.length === 0) return { step, plan, uncompacted: 0 }
    const uncompacted = await inTurn(() =>
      inTransaction(db, (transaction) => writeStep(transaction, trackId, { step, plan }, now())),
    )
    if (uncompacted !== undefined) return { step, plan, uncompacted }
  }
  return await inTurn(() =>
    inTransaction(db, async (transaction) => {
      await lockTrack(transaction, trackId)
      const step = await readLateStep(transaction, trackId, batches, fromMs)
      const plan = await planStep(deps, step)
      return { step, plan, uncompacted: (await writeStep(transaction, trackId, { step, plan }, now()))! }
    }),
  )
}

async function planStep({ planElsewhere }: LateWork, { stored, storedPoints, batches }: LateStep): Promise<AppendPlan> {
  const task = { stored, batches: batches.map(({ points }) => points) }
  const points = task.batches.reduce((sum, { count }) => sum + count, storedPoints)
  if (points > INLINE_POINTS) return await planElsewhere(task)
  // Other requests get their turn between the plans of many tracks.
  await nextTurn()
  return planAppends(task)
}

/** Returns the number of uncompacted chunks; undefined if the stored chunks have changed since they were read. */
async function writeStep(
  transaction: Transaction<TracksTables>,
  trackId: string,
  { step, plan: { removed, inserted, addedCounts } }: { step: LateStep; plan: AppendPlan },
  nowMs: number,
): Promise<number | undefined> {
  const track = await lockTrack(transaction, trackId)
  const heads = await readHeads(transaction, trackId, step.fromMs, step.toMs)
  if (!isSame(heads, step.heads)) return undefined
  if (inserted.length === 0) return track.loose_chunks
  const pointCount = addedCounts.reduce<number>((sum, added) => sum + (added ?? 0), track.point_count)
  if (pointCount > MAX_POINTS_PER_TRACK) throw trackFull()
  if (removed.length > 0) {
    await transaction.deleteFrom('chunks').where('track_id', '=', trackId).where('first_ms', 'in', removed).execute()
  }
  const rows = inserted.map((chunk) => chunkRow(trackId, chunk))
  await transaction.insertInto('chunks').values(rows).execute()
  // A compacted chunk that gets a late point becomes one that is to be compacted again.
  const gone = heads.filter(({ first_ms, merged }) => merged === 0 && removed.includes(first_ms))
  const uncompacted = Math.max(0, track.loose_chunks + inserted.length - gone.length)
  await transaction
    .updateTable('tracks')
    .set({
      revision: track.revision + 1,
      point_count: pointCount,
      last_point_ms: Math.max(track.last_point_ms ?? Number.MIN_SAFE_INTEGER, inserted[inserted.length - 1].lastMs),
      loose_chunks: uncompacted,
      to_compact: 1,
      ...updateTimes(track, nowMs),
    })
    .where('id', '=', trackId)
    .execute()
  return uncompacted
}

/** Every change of a track's chunks takes this lock. */
async function lockTrack(transaction: Transaction<TracksTables>, trackId: string) {
  const row = await transaction
    .selectFrom('tracks')
    .select(['revision', 'point_count', 'last_point_ms', 'loose_chunks', 'updated_at'])
    .where('id', '=', trackId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw trackNotFound()
  return row
}

/**
 * Points are never removed from a track, so chunks of the same times and counts hold the same points.
 */
function isSame(now: readonly ChunkHead[], then: readonly ChunkHead[]): boolean {
  return (
    now.length === then.length &&
    now.every((head, i) => {
      const { first_ms, last_ms, count } = then[i]
      return head.first_ms === first_ms && head.last_ms === last_ms && head.count === count
    })
  )
}

/** Most stored points and chunks that one step reads; they bound its memory and the time of its transaction. */
const MAX_STEP_POINTS = 131_072
const MAX_STEP_CHUNKS = 512

type ChunkHead = Pick<ChunkRow, 'first_ms' | 'last_ms' | 'count' | 'merged'>

/** Part of an append: a range of time, all chunks in it, and the parts of the batches in it. */
type LateStep = {
  fromMs: number
  /** Inclusive. */
  toMs: number
  heads: ChunkHead[]
  /** The chunks, with bytes if they have points at the times of a batch. */
  stored: StoredBytes[]
  /** Number of points in the chunks with bytes. */
  storedPoints: number
  /** The batches that have points in the range, by their index in the request. */
  batches: { index: number; points: PointColumns }[]
}

/**
 * Reads the first step from `fromMs` on of adding batches to a track. It reads the bytes of a chunk only if a batch has
 * a point within its times: two points at the ends of a long track lie in two chunks, although all lie between them.
 */
export async function readLateStep(
  db: Kysely<TracksTables>,
  trackId: string,
  all: readonly PointColumns[],
  fromMs: number,
): Promise<LateStep> {
  const lastMs = Math.max(...all.map(({ timeMs, count }) => timeMs[count - 1]))
  const inRange = await readHeads(db, trackId, fromMs, lastMs)
  const { touched, toMs, storedPoints } = firstStep(inRange, all, fromMs, lastMs)
  const heads = inRange.filter(({ first_ms }) => first_ms <= toMs)
  const bytes = await readBytes(db, trackId, touched)
  // A chunk was compacted or rewritten since its head was read.
  if (bytes.size < touched.length) return await readLateStep(db, trackId, all, fromMs)
  return {
    fromMs,
    toMs,
    heads,
    stored: heads.map(({ first_ms, last_ms }) => ({ firstMs: first_ms, lastMs: last_ms, bytes: bytes.get(first_ms) })),
    storedPoints,
    batches: all.flatMap((points, index) => {
      const start = firstIndexAtOrAfter(points, fromMs)
      const end = firstIndexAfter(points, toMs)
      return end > start ? [{ index, points: sliceColumns(points, start, end) }] : []
    }),
  }
}

/** Returns the chunks whose times touch the range, in time order, without their bytes. */
async function readHeads(
  db: Kysely<TracksTables>,
  trackId: string,
  fromMs: number,
  toMs: number,
): Promise<ChunkHead[]> {
  return await db
    .selectFrom('chunks')
    .select(['first_ms', 'last_ms', 'count', 'merged'])
    .where('track_id', '=', trackId)
    .where('first_ms', '<=', toMs)
    .where('last_ms', '>=', fromMs)
    .orderBy('first_ms')
    .execute()
}

function firstStep(heads: readonly ChunkHead[], all: readonly PointColumns[], fromMs: number, lastMs: number) {
  const touched: number[] = []
  let storedPoints = 0
  for (const head of heads) {
    if (!all.some((points) => hasPointIn(points, Math.max(fromMs, head.first_ms), head.last_ms))) continue
    const isFull = storedPoints + head.count > MAX_STEP_POINTS || touched.length === MAX_STEP_CHUNKS
    if (touched.length > 0 && isFull) return { touched, storedPoints, toMs: head.first_ms - 1 }
    touched.push(head.first_ms)
    storedPoints += head.count
  }
  return { touched, storedPoints, toMs: lastMs }
}

function hasPointIn(points: PointColumns, fromMs: number, toMs: number): boolean {
  const index = firstIndexAtOrAfter(points, fromMs)
  return index < points.count && points.timeMs[index] <= toMs
}

async function readBytes(
  db: Kysely<TracksTables>,
  trackId: string,
  firstTimes: readonly number[],
): Promise<Map<number, Uint8Array>> {
  if (firstTimes.length === 0) return new Map()
  const rows = await db
    .selectFrom('chunks')
    .select(['first_ms', 'bytes'])
    .where('track_id', '=', trackId)
    .where('first_ms', 'in', firstTimes)
    .execute()
  return new Map(rows.map(({ first_ms, bytes }) => [first_ms, bytes]))
}
