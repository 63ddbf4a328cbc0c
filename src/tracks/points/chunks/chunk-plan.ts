import {
  addedPoints,
  firstIndexAfter,
  firstIndexAtOrAfter,
  mergePoints,
  type PointColumns,
  sliceColumns,
} from '../point-columns.ts'
import { decodeChunk, type EncodedChunk, encodeParts, MAX_CHUNK_POINTS, splitIntoChunks } from './chunk-codec.ts'

/** A stored chunk, decoded. Chunks of one track have disjoint time ranges: points of one time never lie in two. */
export type StoredChunk = { readonly firstMs: number; readonly lastMs: number; readonly points: PointColumns }

/**
 * Most points of one time in a track: as many as one request can send. Points of one time lie in one chunk, so without
 * a bound each further one would rewrite all of them.
 */
export const MAX_POINTS_OF_ONE_TIME = 50_000

/** The changes that adding points makes. */
type ChunkChanges = {
  /** `firstMs` of the chunks that are replaced. */
  readonly remove: readonly number[]
  /** The new chunks, in time order, each in canonical order. They may share memory with the points sent. */
  readonly insert: readonly PointColumns[]
  /** Number of points that were not stored yet. */
  readonly addedCount: number
}

/**
 * Plans how to add points so that the time ranges of the chunks stay disjoint and as little as possible is rewritten:
 * only chunks that get new points within their range are replaced.
 * @param existing the stored chunks whose ranges touch the range of the sent points, in time order
 * @param sent the points of one request, in canonical order
 */
export function planAppend(existing: readonly StoredChunk[], sent: PointColumns): ChunkChanges {
  const remove: number[] = []
  const insert: PointColumns[] = []
  let addedCount = 0
  let done = 0

  const insertUpTo = (end: number) => {
    if (end > done) insert.push(...splitIntoChunks(sliceColumns(sent, done, end), MAX_CHUNK_POINTS))
    addedCount += end - done
    done = end
  }

  for (const chunk of existing) {
    insertUpTo(firstIndexAtOrAfter(sent, chunk.firstMs))
    const end = firstIndexAfter(sent, chunk.lastMs)
    // Reading `points` decodes the chunk.
    if (end === done) continue
    const added = addedPoints(chunk.points, sliceColumns(sent, done, end))
    done = end
    if (added.count === 0) continue
    remove.push(chunk.firstMs)
    insert.push(...splitIntoChunks(mergePoints(chunk.points, added), MAX_CHUNK_POINTS))
    addedCount += added.count
  }
  insertUpTo(sent.count)
  return { remove, insert, addedCount }
}

/** A stored chunk; its bytes only where a batch has points within its times. */
export type StoredBytes = { firstMs: number; lastMs: number; bytes: Uint8Array | undefined }

/** Batches for one track, and the stored chunks whose times touch theirs, in time order. */
export type AppendTask = { stored: readonly StoredBytes[]; batches: readonly PointColumns[] }

export type AppendPlan = {
  /** First times of the stored chunks to remove. */
  removed: number[]
  /** The chunks to insert; none overlaps another or one that stays. */
  inserted: EncodedChunk[]
  /**
   * Number of new points of each batch; undefined for a batch with too many points of one time, of which none is added.
   */
  addedCounts: (number | undefined)[]
}

type WorkingChunk = { firstMs: number; lastMs: number; points: PointColumns; isStored: boolean }

/**
 * Adds batches one after the other to the chunks of a track, and decodes only chunks that have points at the times of a
 * batch. @throws ChunkDamagedError
 */
export function planAppends({ stored, batches }: AppendTask): AppendPlan {
  const removed: number[] = []
  const addedCounts: (number | undefined)[] = []
  let chunks: WorkingChunk[] = stored.map(decodedOnce)
  for (const batch of batches) {
    const { remove, insert, addedCount } = planAppend(touched(chunks, batch), batch)
    if (insert.some(isTooLarge)) {
      addedCounts.push(undefined)
      continue
    }
    addedCounts.push(addedCount)
    if (addedCount === 0) continue
    const gone = new Set(remove)
    removed.push(
      ...chunks.filter(({ firstMs, isStored }) => isStored && gone.has(firstMs)).map(({ firstMs }) => firstMs),
    )
    chunks = [...chunks.filter(({ firstMs }) => !gone.has(firstMs)), ...insert.map(newChunk)]
    chunks.sort((a, b) => a.firstMs - b.firstMs)
  }
  const inserted = chunks.filter(({ isStored }) => !isStored).flatMap(({ points }) => encodeParts(points, 'fast'))
  return { removed, inserted, addedCounts }
}

function decodedOnce({ firstMs, lastMs, bytes }: StoredBytes): WorkingChunk {
  let points: PointColumns | undefined
  return {
    firstMs,
    lastMs,
    isStored: true,
    get points() {
      points ??= decodeChunk(bytes!)
      return points
    },
  }
}

function newChunk(points: PointColumns): WorkingChunk {
  return { firstMs: points.timeMs[0], lastMs: points.timeMs[points.count - 1], points, isStored: false }
}

function touched(chunks: readonly WorkingChunk[], { timeMs, count }: PointColumns): WorkingChunk[] {
  return chunks.filter(({ firstMs, lastMs }) => firstMs <= timeMs[count - 1] && lastMs >= timeMs[0])
}

/** Only points of one time make a chunk this large: all others are split before. */
function isTooLarge({ count }: PointColumns): boolean {
  return count > MAX_POINTS_OF_ONE_TIME
}
