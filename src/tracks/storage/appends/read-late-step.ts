import type { Kysely } from 'kysely'
import type { StoredBytes } from '../../chunks/plan-appends.ts'
import { type PointColumns, sliceColumns } from '../../points/point-columns.ts'
import { firstIndexAfter, firstIndexAtOrAfter } from '../../points/point-set.ts'
import type { ChunkRow, TracksTables } from '../tables.ts'

/** Most stored points and chunks that one step reads; they bound its memory and the time of its transaction. */
const MAX_STEP_POINTS = 131_072
const MAX_STEP_CHUNKS = 512

export type ChunkHead = Pick<ChunkRow, 'first_ms' | 'last_ms' | 'count' | 'merged'>

/** Part of an append: a range of time, all chunks in it, and the parts of the batches in it. */
export type LateStep = {
  fromMs: number
  /** Inclusive. */
  toMs: number
  heads: ChunkHead[]
  /** The chunks with the bytes of those that have points at the times of a batch. */
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
export async function readHeads(
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
