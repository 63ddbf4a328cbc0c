import { endianness } from 'node:os'
import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { type ColumnHead, ORDER_CONSTANT, writeUnit } from './column-head.ts'
import { NARROW } from './column-narrow.ts'
import { predict, readErrors, restore, writeErrors } from './column-series.ts'
import { COLUMN_UNITS, findUnit, toValue, UNIT_RAW } from './column-unit.ts'
import { WIDE } from './column-wide.ts'
import type { ColumnWords } from './column-words.ts'

/** How to write a column. */
export type ColumnOptions = {
  /** Index into COLUMN_UNITS where the search for its unit starts. */
  readonly firstUnit: number
  /** Look for the shortest form, not the quickest. */
  readonly compress: boolean
}

type NumbersHead = Omit<ColumnHead, 'sparse'>

/** Offsets in a column that spreads less than this fit a signed 32-bit word, whichever value they start from. */
const NARROW_SPREAD = 2 ** 31
const LOW_HALF = endianness() === 'LE' ? 0 : 1

/** Writes the first of `words.values`, which stands for all. */
export function writeConstant(writer: ChunkWriter, words: ColumnWords, options: ColumnOptions): NumbersHead {
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

/** Fills the first `count` of `words.values` with what writeConstant wrote. */
export function readConstant(reader: ChunkReader, words: ColumnWords, count: number, unit: number): void {
  if (unit === UNIT_RAW) {
    words.valueHalves[LOW_HALF] = reader.uint32()
    words.valueHalves[1 - LOW_HALF] = reader.uint32()
  } else {
    words.values[0] = toValue(reader.signedVarint(), COLUMN_UNITS[unit])
  }
  words.values.fill(words.values[0], 1, count)
}

/** Writes the first `count` of `words.values`, at least two. */
export function writeNumbers(
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

/** Fills the first `count` of `words.values` with what writeNumbers wrote in 32-bit words. */
export function readNarrow(reader: ChunkReader, words: ColumnWords, count: number, order: number, unit: number): void {
  const { low, values } = words
  const base = reader.signedVarint()
  if (order > 0) low[0] = 0
  if (order > 1) low[1] = reader.signedVarint()
  readErrors(reader, NARROW, words, order, count)
  restore(NARROW, words, count, order)
  const columnUnit = COLUMN_UNITS[unit]
  for (let i = 0; i < count; i++) values[i] = toValue(base + (low[i] | 0), columnUnit)
}

/** Fills the first `count` of `words.values` with what writeNumbers wrote in 64-bit words. */
export function readWide(reader: ChunkReader, words: ColumnWords, count: number, order: number, unit: number): void {
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
