import { ChunkDamagedError, type ChunkReader, type ChunkWriter } from './bytes.ts'
import { readPacked, readRice, writePacked, writeRice } from './integers.ts'

/**
 * Scratch memory of the column codec: the numbers of one column on their way between doubles and bytes. It is reused
 * from call to call, because for a batch of ten points allocating it would cost more than coding them.
 */
export type ColumnWords = {
  /** Values that are present, without gaps. */
  readonly values: Float64Array
  /** The same memory as `values`, each double as two halves. */
  readonly valueHalves: Uint32Array
  /** Values as whole multiples of their unit. */
  readonly integers: Float64Array
  /** 32-bit words, or the lower halves of 64-bit ones. */
  readonly low: Uint32Array
  /** Upper halves of 64-bit words. */
  readonly high: Uint32Array
}

/** The largest request; more memory is not kept. */
const MAX_KEPT = 2 ** 16

let kept = allocate(0)

/**
 * Returns scratch memory for `count` numbers with undefined content. A later call may return the same memory, so no
 * one may hold it beyond one column, and nothing asynchronous may happen in between.
 */
export function columnWords(count: number): ColumnWords {
  if (count > MAX_KEPT) return allocate(count)
  if (kept.values.length < count) kept = allocate(Math.max(1024, 2 ** Math.ceil(Math.log2(count))))
  return kept
}

function allocate(length: number): ColumnWords {
  const values = new Float64Array(length)
  return {
    values,
    valueHalves: new Uint32Array(values.buffer),
    integers: new Float64Array(length),
    low: new Uint32Array(length),
    high: new Uint32Array(length),
  }
}

/**
 * Operations on a series of whole numbers of one width, 32 or 64 bits. They work in place on the words from `from` up
 * to `count`. Arithmetic is modulo 2^32 or 2^64, so every step has an exact inverse.
 */
export type ColumnWidth = {
  readonly bytesPerWord: 4 | 8
  /** Replaces each word by its difference from the one before; the word before `from` is only read. */
  difference(words: ColumnWords, from: number, count: number): void
  /** Undoes `difference`. */
  accumulate(words: ColumnWords, from: number, count: number): void
  /** Maps signed words to unsigned ones so that those near zero stay small: 0, -1, 1, -2 become 0, 1, 2, 3. */
  foldSigns(words: ColumnWords, from: number, count: number): void
  /** Undoes `foldSigns`. */
  unfoldSigns(words: ColumnWords, from: number, count: number): void
  /** Returns the sum of the lengths of the words in bits; `signed` counts them as if their signs were folded. */
  bits(words: ColumnWords, from: number, count: number, signed: boolean): number
  /** Writes the words compactly. */
  write(writer: ChunkWriter, words: ColumnWords, from: number, count: number): void
  /** Reads what `write` wrote; throws ChunkDamagedError when the bytes run out. */
  read(reader: ChunkReader, words: ColumnWords, from: number, count: number): void
}

/** Series of 32-bit words, in `low`: nearly all columns, as offsets from their first or smallest value. */
export const NARROW: ColumnWidth = {
  bytesPerWord: 4,

  difference({ low }, from, count) {
    for (let i = count - 1; i >= from; i--) low[i] -= low[i - 1]
  },

  accumulate({ low }, from, count) {
    for (let i = from; i < count; i++) low[i] += low[i - 1]
  },

  foldSigns({ low }, from, count) {
    for (let i = from; i < count; i++) low[i] = (low[i] << 1) ^ (low[i] >> 31)
  },

  unfoldSigns({ low }, from, count) {
    for (let i = from; i < count; i++) low[i] = (low[i] >>> 1) ^ -(low[i] & 1)
  },

  bits({ low }, from, count, signed) {
    let unused = 0
    if (signed) for (let i = from; i < count; i++) unused += Math.clz32((low[i] << 1) ^ (low[i] >> 31))
    else for (let i = from; i < count; i++) unused += Math.clz32(low[i])
    return 32 * (count - from) - unused
  },

  write(writer, { low }, from, count) {
    writeRice(writer, low, from, count)
  },

  read(reader, { low }, from, count) {
    readRice(reader, low, from, count)
  },
}

/**
 * Series of 64-bit words, in `high` and `low`: doubles as their bits, and integers that spread too far for 32 bits.
 * Neighbouring doubles have neighbouring bits, so differences of bits are as small as differences of values; that beats
 * XOR, whose result is large whenever a carry runs through.
 */
export const WIDE: ColumnWidth = {
  bytesPerWord: 8,

  difference({ low, high }, from, count) {
    for (let i = count - 1; i >= from; i--) {
      high[i] -= high[i - 1] + (low[i] < low[i - 1] ? 1 : 0)
      low[i] -= low[i - 1]
    }
  },

  accumulate({ low, high }, from, count) {
    for (let i = from; i < count; i++) {
      low[i] += low[i - 1]
      high[i] += high[i - 1] + (low[i] < low[i - 1] ? 1 : 0)
    }
  },

  foldSigns({ low, high }, from, count) {
    for (let i = from; i < count; i++) {
      const sign = high[i] >> 31
      high[i] = ((high[i] << 1) | (low[i] >>> 31)) ^ sign
      low[i] = (low[i] << 1) ^ sign
    }
  },

  unfoldSigns({ low, high }, from, count) {
    for (let i = from; i < count; i++) {
      const sign = -(low[i] & 1)
      low[i] = ((low[i] >>> 1) | (high[i] << 31)) ^ sign
      high[i] = (high[i] >>> 1) ^ sign
    }
  },

  bits({ low, high }, from, count, signed) {
    let unused = 0
    for (let i = from; i < count; i++) {
      const sign = signed ? high[i] >> 31 : 0
      const upper = high[i] ^ sign
      unused += upper === 0 ? 32 + Math.clz32(low[i] ^ sign) : Math.clz32(upper)
      unused -= signed ? 1 : 0
    }
    return 64 * (count - from) - unused
  },

  write(writer, { low, high }, from, count) {
    writePacked(writer, low, high, from, count)
  },

  read(reader, { low, high }, from, count) {
    readPacked(reader, low, high, from, count)
  },
}

// The values that a column has, as Rice-coded lengths of alternating runs of present and absent ones. Sensors fail and
// return for minutes, so this takes a few bytes; even when every other value is missing it takes less than a bit each.

/** Lengths of the runs; `startsPresent` when the first one is of present values. */
type Presence = { readonly startsPresent: boolean; readonly runs: Uint32Array }

/** Writes the places at which `column` is not NaN. */
export function writePresence(writer: ChunkWriter, column: Float64Array | Uint8Array, words: ColumnWords): void {
  const { low } = words
  let runs = 0
  let start = 0
  for (let i = 1; i <= column.length; i++) {
    if (i < column.length && Number.isNaN(column[i]) === Number.isNaN(column[start])) continue
    low[runs++] = i - start - 1
    start = i
  }
  writer.varint(2 * runs + (Number.isNaN(column[0]) ? 0 : 1))
  writeRice(writer, low, 0, runs)
}

/** Reads the output of writePresence; throws ChunkDamagedError unless the runs fill exactly `count` values. */
export function readPresence(reader: ChunkReader, count: number, words: ColumnWords): Presence {
  const header = reader.count(2 * count + 1)
  const length = Math.floor(header / 2)
  readRice(reader, words.low, 0, length)
  const runs = words.low.slice(0, length)
  let total = 0
  for (let i = 0; i < length; i++) {
    runs[i]++
    total += runs[i]
  }
  if (total !== count) throw new ChunkDamagedError('presence does not match the number of points')
  return { startsPresent: header % 2 === 1, runs }
}

/** Returns the number of present values. */
export function presentCount({ startsPresent, runs }: Presence): number {
  let count = 0
  for (let i = startsPresent ? 0 : 1; i < runs.length; i += 2) count += runs[i]
  return count
}

/** Spreads values without gaps over a column, with NaN for absent ones. */
export function spread(values: Float64Array, { startsPresent, runs }: Presence, column: Float64Array): void {
  let present = startsPresent
  let from = 0
  let at = 0
  for (const run of runs) {
    if (present) {
      column.set(values.subarray(from, from + run), at)
      from += run
    } else {
      column.fill(Number.NaN, at, at + run)
    }
    at += run
    present = !present
  }
}
