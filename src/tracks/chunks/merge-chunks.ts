import { concatColumns } from '../points/point-set.ts'
import { decodeChunk, encodeChunk } from './chunk-codec.ts'
import { MAX_CHUNK_POINTS, splitIntoChunks } from './chunk-plan.ts'

/** A chunk that merging made, with what its row says of it. */
export type MergedChunk = { firstMs: number; lastMs: number; count: number; bytes: Uint8Array }

/**
 * Makes few large chunks of many small ones that follow each other in time, coded as small as they get.
 * @throws ChunkDamagedError
 */
export function mergeChunks(chunks: readonly Uint8Array[]): MergedChunk[] {
  return splitIntoChunks(concatColumns(chunks.map(decodeChunk)), MAX_CHUNK_POINTS).map((points) => ({
    firstMs: points.timeMs[0],
    lastMs: points.timeMs[points.count - 1],
    count: points.count,
    bytes: encodeChunk(points, 'small'),
  }))
}
