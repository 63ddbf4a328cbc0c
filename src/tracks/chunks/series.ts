import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ChunkReader, ChunkWriter } from './bytes.ts'
import { ChunkDamagedError } from './chunk-damaged-error.ts'
import type { ColumnWidth, ColumnWords } from './words.ts'

// A series is a column as prediction errors. Order 0 predicts nothing, order 1 the previous number, order 2 the
// straight line through the previous two. So differences are taken `order` times, and the first `order` numbers are the
// seeds.

const MAX_ORDER = 2
const METHOD_BITS = 0
const METHOD_PLANES = 1

/**
 * Turns the words into the prediction errors of the order that makes them smallest. Returns that order.
 *
 * The first `order` words are left as seeds.
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

/** Writes prediction errors; `compress` selects the shorter of two codings, which takes tens of times longer. */
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

/** Reads what writeErrors wrote; throws ChunkDamagedError for anything else. */
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

/** Measured on recorded tracks: 19 is 1% smaller and takes five times as long, 3 is 1% larger and a third faster. */
const LEVEL = 9
/** A hostile frame may ask for a window of 128 MiB; a column of the largest chunk has 8 MiB. */
const MAX_WINDOW_LOG = 23

const COMPRESS = { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }

/**
 * Compresses words with Zstandard (RFC 8878), after sorting their bytes into planes: first all highest bytes, then all
 * second ones, and so on. High bytes repeat, low bytes are noise; separated, both compress better.
 *
 * @returns the frame, to be written by writePlanes
 */
export function compressPlanes(words: ColumnWords, from: number, count: number, bytesPerWord: 4 | 8): Uint8Array {
  const length = count - from
  const planes = new Uint8Array(length * bytesPerWord)
  for (let plane = 0; plane < bytesPerWord; plane++) {
    const half = plane < bytesPerWord - 4 ? words.high : words.low
    const shift = 24 - 8 * (plane & 3)
    const at = plane * length - from
    for (let i = from; i < count; i++) planes[at + i] = half[i] >>> shift
  }
  return zstdCompressSync(planes, COMPRESS)
}

/** Writes a frame of compressPlanes, preceded by its length. */
export function writePlanes(writer: ChunkWriter, frame: Uint8Array): void {
  writer.varint(frame.length)
  writer.append(frame)
}

/** Reads what writePlanes wrote; throws ChunkDamagedError when the frame does not hold exactly these words. */
export function readPlanes(
  reader: ChunkReader,
  words: ColumnWords,
  from: number,
  count: number,
  bytesPerWord: 4 | 8,
): void {
  const length = count - from
  const planes = decompress(reader.take(reader.varint()), length * bytesPerWord)
  words.low.fill(0, from, count)
  words.high.fill(0, from, count)
  for (let plane = 0; plane < bytesPerWord; plane++) {
    const half = plane < bytesPerWord - 4 ? words.high : words.low
    const shift = 24 - 8 * (plane & 3)
    const at = plane * length - from
    for (let i = from; i < count; i++) half[i] |= planes[at + i] << shift
  }
}

function decompress(frame: Uint8Array, length: number): Uint8Array {
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG }
  let planes: Uint8Array
  try {
    planes = zstdDecompressSync(frame, { params, maxOutputLength: length })
  } catch (cause) {
    throw new ChunkDamagedError('a column does not decompress', { cause })
  }
  if (planes.length !== length) throw new ChunkDamagedError('a column decompresses to another length')
  return planes
}
