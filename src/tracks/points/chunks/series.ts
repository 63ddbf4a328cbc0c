import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ChunkDamagedError, type ChunkReader, type ChunkWriter } from './bytes.ts'
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

/** Reads the output of writeErrors; throws ChunkDamagedError for anything else. */
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

/** Reads the output of writePlanes; throws ChunkDamagedError when the frame does not hold exactly these words. */
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

/** A unit of which the values of a column are whole multiples; `toValue` defines the relation. */
type ColumnUnit = {
  readonly multiplier: number
  readonly divisor: number
  /** The values were rounded to 32-bit floats. */
  readonly single: boolean
}

/** More are rarely sent, and take as many bits as the double itself. */
const MAX_DECIMALS = 11
/** A 32-bit float holds at most seven digits. */
const MAX_SINGLE_DECIMALS = 6

/**
 * The units tried, in their stored order; stored chunks depend on it, so append only. Semicircles, 180/2^31 degrees,
 * are the unit of FIT files: their positions have 17 digits in text but hold 32 bits. Phones report accuracy,
 * speed and battery as 32-bit floats, so that 4.972 is sent as 4.9720001220703125.
 */
export const COLUMN_UNITS: readonly ColumnUnit[] = [
  { multiplier: 1000, divisor: 1, single: false },
  ...decimals(0, MAX_DECIMALS, false),
  { multiplier: 180, divisor: 2 ** 31, single: false },
  ...decimals(1, MAX_SINGLE_DECIMALS, true),
]

/** Index into COLUMN_UNITS of 1000, which only times are likely to be multiples of. */
export const UNIT_THOUSAND = 0
/** Index into COLUMN_UNITS of 1, where other columns start. */
export const UNIT_ONE = 1
/** In place of an index: the values are multiples of no unit and are coded as the bits of their doubles. */
export const UNIT_RAW = COLUMN_UNITS.length

/** Doubles hold every whole number up to here, so converting back and forth is exact. */
const MAX_INTEGER = 2 ** 53

/**
 * Finds the first unit from `firstUnit` on in which each of the first `count` values is a whole number, and writes
 * those numbers into `integers`.
 *
 * @returns its index, or UNIT_RAW when there is none (then `integers` is undefined)
 */
export function findUnit(values: Float64Array, count: number, integers: Float64Array, firstUnit: number): number {
  let unit = firstUnit
  while (unit < UNIT_RAW && !convert(values, count, integers, COLUMN_UNITS[unit])) unit++
  return unit
}

/**
 * Returns the value of a number of units. Dividing a whole number by a power of ten that a double holds exactly gives
 * the same double as the decimal text, because IEEE 754 division rounds correctly.
 */
export function toValue(integer: number, { multiplier, divisor, single }: ColumnUnit): number {
  const value = (integer * multiplier) / divisor
  return single ? Math.fround(value) : value
}

function decimals(from: number, to: number, single: boolean): ColumnUnit[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({ multiplier: 1, divisor: 10 ** (from + i), single }))
}

function convert(values: Float64Array, count: number, integers: Float64Array, unit: ColumnUnit): boolean {
  const factor = unit.divisor / unit.multiplier
  for (let i = 0; i < count; i++) {
    const value = values[i]
    const integer = Math.round(value * factor)
    if (toValue(integer, unit) !== value) return false
    if (integer > MAX_INTEGER || integer < -MAX_INTEGER) return false
    // An integer has no negative zero.
    if (integer === 0 && Object.is(value, -0)) return false
    integers[i] = integer
  }
  return true
}
