import { concatColumns } from '../points/point-set.ts'
import { decodeChunk, encodeChunk } from './chunk-codec.ts'
import { MAX_CHUNK_POINTS, splitIntoChunks } from './chunk-plan.ts'

/** A chunk with the data for its row. */
export type EncodedChunk = { firstMs: number; lastMs: number; count: number; bytes: Uint8Array }

/**
 * Merges many small chunks that follow each other in time into a few large ones, coded as small as possible.
 * @throws ChunkDamagedError
 */
export function mergeChunks(chunks: readonly Uint8Array[]): EncodedChunk[] {
  return splitIntoChunks(concatColumns(chunks.map(decodeChunk)), MAX_CHUNK_POINTS).map((points) => ({
    firstMs: points.timeMs[0],
    lastMs: points.timeMs[points.count - 1],
    count: points.count,
    bytes: encodeChunk(points, 'small'),
  }))
}
