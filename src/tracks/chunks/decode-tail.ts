import { type PointColumns, sliceColumns } from '../points/point-columns.ts'
import { concatColumns, firstIndexAfter } from '../points/point-set.ts'
import { decodeChunk } from './chunk-codec.ts'

/** The end of a track as it is stored: the chunks with its points later than a time, up to another. */
export type StoredTail = { chunks: Uint8Array[]; afterMs: number; untilMs?: number | undefined }

/** Returns the points at the end of a track. @throws ChunkDamagedError */
export function decodeTail({ chunks, afterMs, untilMs = Number.POSITIVE_INFINITY }: StoredTail): PointColumns {
  const points = concatColumns(chunks.map(decodeChunk))
  return sliceColumns(points, firstIndexAfter(points, afterMs), firstIndexAfter(points, untilMs))
}
