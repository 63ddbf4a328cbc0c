import type { PointColumns } from '../points/point-columns.ts'
import { decodeChunk, encodeChunk } from './chunk-codec.ts'
import { MAX_CHUNK_POINTS, MAX_POINTS_OF_ONE_TIME, planAppend, splitIntoChunks } from './chunk-plan.ts'
import type { EncodedChunk } from './merge-chunks.ts'

/** A stored chunk; its bytes only where a batch has points within its times. */
export type StoredBytes = { firstMs: number; lastMs: number; bytes: Uint8Array | undefined }

/** Batches for one track, and the stored chunks whose times touch those of the batches, in time order. */
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
  const inserted = chunks.filter(({ isStored }) => !isStored).flatMap(({ points }) => encodeParts(points))
  return { removed, inserted, addedCounts }
}

/** Cuts points in canonical order into chunks and encodes them. */
export function encodeParts(points: PointColumns): EncodedChunk[] {
  return splitIntoChunks(points, MAX_CHUNK_POINTS).map((part) => ({
    firstMs: part.timeMs[0],
    lastMs: part.timeMs[part.count - 1],
    count: part.count,
    bytes: encodeChunk(part, 'fast'),
  }))
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
