import { type PointColumns, sliceColumns } from '../points/point-columns.ts'
import { addedPoints, firstIndexAfter, firstIndexAtOrAfter, mergePoints } from '../points/point-set.ts'

/** Points of a full chunk: a little over two hours at one per second; a merged one has about 35 kB. */
export const MAX_CHUNK_POINTS = 8192

/** Part of a full chunk that is not cut off: a late point in a full chunk would leave a piece of one point. */
const LEAST_PIECE = 1 / 8

/** A stored chunk, decoded. Chunks of one track have disjoint time ranges: points of one time never lie in two. */
export type StoredChunk = { readonly firstMs: number; readonly lastMs: number; readonly points: PointColumns }

/**
 * Most points of one time in a track: as many as one request can send. Points of one time lie in one chunk, so without
 * a bound each further one would rewrite all of them.
 */
export const MAX_POINTS_OF_ONE_TIME = 50_000

/** The changes that adding points makes. */
type AppendPlan = {
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
 *
 * @param existing the stored chunks whose ranges touch that of the sent points, in time order
 * @param sent the points of one request, in canonical order
 */
export function planAppend(existing: readonly StoredChunk[], sent: PointColumns): AppendPlan {
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

/**
 * Cuts points into chunks of `targetCount`. The last one has up to an eighth more, so that none is a small piece of a
 * full one. Points of one time stay together, and make a larger chunk if they are more.
 */
export function splitIntoChunks(points: PointColumns, targetCount: number): PointColumns[] {
  const chunks: PointColumns[] = []
  for (let start = 0; start < points.count; ) {
    const end = cutAfter(points, start, targetCount)
    chunks.push(start === 0 && end === points.count ? points : sliceColumns(points, start, end))
    start = end
  }
  return chunks
}

function cutAfter(points: PointColumns, start: number, targetCount: number): number {
  const cut = start + targetCount
  if (cut + Math.floor(targetCount * LEAST_PIECE) >= points.count) return points.count
  const groupStart = firstIndexAtOrAfter(points, points.timeMs[cut])
  return groupStart > start ? groupStart : firstIndexAfter(points, points.timeMs[cut])
}
