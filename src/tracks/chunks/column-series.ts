import { ChunkDamagedError } from './chunk-damaged-error.ts'
import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { compressPlanes, readPlanes, writePlanes } from './column-planes.ts'
import type { ColumnWidth } from './column-width.ts'
import type { ColumnWords } from './column-words.ts'

// A series is a column as prediction errors. Order 0 predicts nothing, order 1 the number before, order 2 the straight
// line through the two before; so differences are taken `order` times, and as many numbers stand at the start as seeds.

const MAX_ORDER = 2
const METHOD_BITS = 0
const METHOD_PLANES = 1

/**
 * Turns the words into the prediction errors of the order that makes them smallest.
 *
 * @returns that order; the first `order` words are left as seeds
 */
export function predict(width: ColumnWidth, words: ColumnWords, count: number): number {
  let best = 0
  let bestBits = Number.POSITIVE_INFINITY
  const lastOrder = Math.min(MAX_ORDER, count - 1)
  for (let order = 0; order <= lastOrder; order++) {
    if (order > 0) width.difference(words, order, count)
    const bits = width.bits(words, lastOrder, count, order > 0)
    if (bits < bestBits) best = order
    bestBits = Math.min(bits, bestBits)
  }
  for (let order = lastOrder; order > best; order--) width.accumulate(words, order, count)
  if (best > 0) width.foldSigns(words, best, count)
  return best
}

/** Undoes `predict` of that order. */
export function restore(width: ColumnWidth, words: ColumnWords, count: number, order: number): void {
  if (order > 0) width.unfoldSigns(words, order, count)
  for (let again = order; again > 0; again--) width.accumulate(words, again, count)
}

/** Writes prediction errors; with `compress` in the shorter of two ways, which takes tens of times longer. */
export function writeErrors(
  writer: ChunkWriter,
  width: ColumnWidth,
  words: ColumnWords,
  from: number,
  count: number,
  compress: boolean,
): void {
  const start = writer.at
  writer.byte(METHOD_BITS)
  width.write(writer, words, from, count)
  if (!compress) return
  const frame = compressPlanes(words, from, count, width.bytesPerWord)
  if (frame.length + 2 >= writer.at - start) return
  writer.at = start
  writer.byte(METHOD_PLANES)
  writePlanes(writer, frame)
}

/** Reads what writeErrors wrote; throws ChunkDamagedError when it is not that. */
export function readErrors(
  reader: ChunkReader,
  width: ColumnWidth,
  words: ColumnWords,
  from: number,
  count: number,
): void {
  const method = reader.byte()
  if (method === METHOD_BITS) width.read(reader, words, from, count)
  else if (method === METHOD_PLANES) readPlanes(reader, words, from, count, width.bytesPerWord)
  else throw new ChunkDamagedError('a column is coded in an unknown way')
}
