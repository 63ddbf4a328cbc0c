import { endianness } from 'node:os'
import { ChunkDamagedError, type ChunkReader, type ChunkWriter } from './bytes.ts'
import { COLUMN_UNITS, findUnit, predict, readErrors, restore, toValue, UNIT_RAW, writeErrors } from './series.ts'
import {
  type ColumnWords,
  columnWords,
  NARROW,
  presentCount,
  readPresence,
  spread,
  WIDE,
  writePresence,
} from './words.ts'

/** Writes a column, with NaN for absent values, so that readColumn returns the same bits, less `options.origin`. */
export function writeColumn(writer: ChunkWriter, column: Float64Array | Uint8Array, options: ColumnOptions): void {
  const words = columnWords(column.length)
  const present = gather(column, words.values, options.origin)
  if (present === 0) {
    writer.byte(HEAD_ABSENT)
    return
  }
  const sparse = present < column.length
  const headAt = writer.at
  writer.byte(0)
  if (sparse) writePresence(writer, column, words)
  const body = isConstant(words.values, present)
    ? writeConstant(writer, words, options)
    : writeNumbers(writer, words, present, options)
  writer.bytes[headAt] = packHead({ ...body, sparse })
}

/** Fills `column` from the output of writeColumn; throws ChunkDamagedError for anything that it cannot have written. */
export function readColumn(reader: ChunkReader, column: Float64Array): void {
  const byte = reader.byte()
  if (byte === HEAD_ABSENT) {
    column.fill(Number.NaN)
    return
  }
  const head = unpackHead(byte)
  const words = columnWords(column.length)
  const presence = head.sparse ? readPresence(reader, column.length, words) : undefined
  const unit = readUnit(reader, byte)
  const present = presence ? presentCount(presence) : column.length
  if (head.order === ORDER_CONSTANT) readConstant(reader, words, present, unit)
  else if (unit === UNIT_RAW && !head.wide) throw new ChunkDamagedError('a column has an unknown form')
  else if (head.wide) readWide(reader, words, present, head.order, unit)
  else readNarrow(reader, words, present, head.order, unit)
  if (presence) spread(words.values, presence, column)
  else column.set(words.values.subarray(0, present))
}

/** Up to this number of values, copying one after the other is faster than all at once. */
const MAX_COPIED_SINGLY = 64

/** Copies the present values, less `origin`, into `values` without gaps, and returns their number. */
function gather(column: Float64Array | Uint8Array, values: Float64Array, origin: number): number {
  const { length } = column
  if (length > MAX_COPIED_SINGLY) values.set(column)
  else for (let i = 0; i < length; i++) values[i] = column[i]
  let present = 0
  while (present < length && !Number.isNaN(values[present])) present++
  for (let i = present + 1; i < length; i++) {
    if (!Number.isNaN(values[i])) values[present++] = values[i]
  }
  if (origin !== 0) for (let i = 0; i < present; i++) values[i] -= origin
  return present
}

function isConstant(values: Float64Array, count: number): boolean {
  for (let i = 1; i < count; i++) if (!Object.is(values[i], values[0])) return false
  return true
}

/** Options of the coding of a column. */
type ColumnOptions = {
  /** Subtracted from each value. 0 for values that are written as they are. */
  readonly origin: number
  /** Index into COLUMN_UNITS where the search for its unit starts. */
  readonly firstUnit: number
  /** Look for the shortest form instead of the fastest. */
  readonly compress: boolean
}

type NumbersHead = Omit<ColumnHead, 'sparse'>

/** Offsets in a column with a smaller spread fit a signed 32-bit word, from any first value. */
const NARROW_SPREAD = 2 ** 31
const LOW_HALF = endianness() === 'LE' ? 0 : 1

/** Writes the first of `words.values`, which all others equal. */
function writeConstant(writer: ChunkWriter, words: ColumnWords, options: ColumnOptions): NumbersHead {
  const unit = findUnit(words.values, 1, words.integers, options.firstUnit)
  writeUnit(writer, unit)
  if (unit === UNIT_RAW) {
    writer.uint32(words.valueHalves[LOW_HALF])
    writer.uint32(words.valueHalves[1 - LOW_HALF])
  } else {
    writer.signedVarint(words.integers[0])
  }
  return { unit, order: ORDER_CONSTANT, wide: false }
}

/** Fills the first `count` of `words.values` from the output of writeConstant. */
function readConstant(reader: ChunkReader, words: ColumnWords, count: number, unit: number): void {
  if (unit === UNIT_RAW) {
    words.valueHalves[LOW_HALF] = reader.uint32()
    words.valueHalves[1 - LOW_HALF] = reader.uint32()
  } else {
    words.values[0] = toValue(reader.signedVarint(), COLUMN_UNITS[unit])
  }
  words.values.fill(words.values[0], 1, count)
}

/** Writes the first `count` of `words.values`, at least two. */
function writeNumbers(
  writer: ChunkWriter,
  words: ColumnWords,
  count: number,
  { firstUnit, compress }: ColumnOptions,
): NumbersHead {
  const unit = findUnit(words.values, count, words.integers, firstUnit)
  writeUnit(writer, unit)
  if (unit === UNIT_RAW) {
    loadBits(words, count)
    return { unit, order: writeWide(writer, words, count, compress), wide: true }
  }
  const { smallest, largest } = range(words.integers, count)
  if (largest - smallest < NARROW_SPREAD) {
    return { unit, order: writeNarrow(writer, words, count, smallest, compress), wide: false }
  }
  loadIntegers(words, count)
  return { unit, order: writeWide(writer, words, count, compress), wide: true }
}

/** Fills the first `count` of `words.values` from the output of writeNumbers in 32-bit words. */
function readNarrow(reader: ChunkReader, words: ColumnWords, count: number, order: number, unit: number): void {
  const { low, values } = words
  const base = reader.signedVarint()
  if (order > 0) low[0] = 0
  if (order > 1) low[1] = reader.signedVarint()
  readErrors(reader, NARROW, words, order, count)
  restore(NARROW, words, count, order)
  const columnUnit = COLUMN_UNITS[unit]
  for (let i = 0; i < count; i++) values[i] = toValue(base + (low[i] | 0), columnUnit)
}

/** Fills the first `count` of `words.values` from the output of writeNumbers in 64-bit words. */
function readWide(reader: ChunkReader, words: ColumnWords, count: number, order: number, unit: number): void {
  const { low, high, values, valueHalves } = words
  for (let i = 0; i < order; i++) {
    low[i] = reader.uint32()
    high[i] = reader.uint32()
  }
  readErrors(reader, WIDE, words, order, count)
  restore(WIDE, words, count, order)
  if (unit === UNIT_RAW) {
    for (let i = 0; i < count; i++) {
      valueHalves[2 * i + LOW_HALF] = low[i]
      valueHalves[2 * i + 1 - LOW_HALF] = high[i]
    }
    return
  }
  const columnUnit = COLUMN_UNITS[unit]
  for (let i = 0; i < count; i++) values[i] = toValue((high[i] | 0) * 2 ** 32 + low[i], columnUnit)
}

function writeNarrow(
  writer: ChunkWriter,
  words: ColumnWords,
  count: number,
  smallest: number,
  compress: boolean,
): number {
  const { integers, low } = words
  for (let i = 0; i < count; i++) low[i] = integers[i] - smallest
  const order = predict(NARROW, words, count)
  writer.signedVarint(order > 0 ? integers[0] : smallest)
  if (order > 1) writer.signedVarint(low[1] | 0)
  writeErrors(writer, NARROW, words, order, count, compress)
  return order
}

function writeWide(writer: ChunkWriter, words: ColumnWords, count: number, compress: boolean): number {
  const order = predict(WIDE, words, count)
  for (let i = 0; i < order; i++) {
    writer.uint32(words.low[i])
    writer.uint32(words.high[i])
  }
  writeErrors(writer, WIDE, words, order, count, compress)
  return order
}

function loadBits({ valueHalves, low, high }: ColumnWords, count: number): void {
  for (let i = 0; i < count; i++) {
    low[i] = valueHalves[2 * i + LOW_HALF]
    high[i] = valueHalves[2 * i + 1 - LOW_HALF]
  }
}

function loadIntegers({ integers, low, high }: ColumnWords, count: number): void {
  for (let i = 0; i < count; i++) {
    const integer = integers[i]
    const upper = Math.floor(integer / 2 ** 32)
    high[i] = upper
    low[i] = integer - upper * 2 ** 32
  }
}

function range(integers: Float64Array, count: number): { smallest: number; largest: number } {
  let smallest = integers[0]
  let largest = smallest
  for (let i = 1; i < count; i++) {
    smallest = Math.min(smallest, integers[i])
    largest = Math.max(largest, integers[i])
  }
  return { smallest, largest }
}

/** The first byte of a column, which describes how the rest is coded. */
type ColumnHead = {
  /** Index into COLUMN_UNITS, or UNIT_RAW. */
  readonly unit: number
  /** Order of prediction, or ORDER_CONSTANT. */
  readonly order: number
  /** Words have 64 bits. */
  readonly wide: boolean
  /** Some values are absent. */
  readonly sparse: boolean
}

/** Units up to here fit into the head; others follow in a separate byte. */
const LAST_SHORT_UNIT = 13
const CODE_LONG_UNIT = 14
const CODE_RAW = 15

/** In place of an order: all values are the same, and one is written. */
const ORDER_CONSTANT = 3

/** The column has no values; no other column has this head, since raw words are wide. */
const HEAD_ABSENT = packHead({ unit: UNIT_RAW, order: 0, wide: false, sparse: false })

function packHead({ unit, order, wide, sparse }: ColumnHead): number {
  return unitCode(unit) | (order << 4) | (wide ? 0x40 : 0) | (sparse ? 0x80 : 0)
}

/** Returns the head without its unit, part of which may follow: see readUnit. */
function unpackHead(byte: number): Omit<ColumnHead, 'unit'> {
  return { order: (byte >> 4) & 3, wide: (byte & 0x40) !== 0, sparse: (byte & 0x80) !== 0 }
}

/** Writes a unit that does not fit into the head. */
function writeUnit(writer: ChunkWriter, unit: number): void {
  if (unitCode(unit) === CODE_LONG_UNIT) writer.byte(unit)
}

/** Reads the unit of a head; throws ChunkDamagedError when there is no such unit. */
function readUnit(reader: ChunkReader, head: number): number {
  const code = head & 15
  if (code === CODE_RAW) return UNIT_RAW
  if (code !== CODE_LONG_UNIT) return code
  const unit = reader.byte()
  if (unit >= UNIT_RAW) throw new ChunkDamagedError('a column has an unknown unit')
  return unit
}

function unitCode(unit: number): number {
  if (unit === UNIT_RAW) return CODE_RAW
  return unit <= LAST_SHORT_UNIT ? unit : CODE_LONG_UNIT
}
