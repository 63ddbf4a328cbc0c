import { ChunkDamagedError, type ChunkReader, type ChunkWriter } from './bytes.ts'

// Rice codes (R. F. Rice, "Some practical universal noiseless coding techniques", JPL 1979), as in FLAC: within a block
// the lowest k bits of a number are written as they are and the rest in unary. Prediction errors of recorded tracks
// come within 5% of their order-0 entropy this way, from ten points on and without tables, so one code serves both a
// phone's batch and a merged chunk.

/**
 * Numbers of a block: they share one k, or one width. Recorded tracks change their noise within minutes; 16 to 64
 * differ by under 1%.
 */
const BLOCK = 32
/** A unary part of this length means that the whole number follows in 32 bits. */
const ESCAPE = 20
/** Level of a block: 0 when all its numbers are zero, otherwise k + 1. */
const LEVEL_BITS = 5
const MAX_K = 28

/** Writes the numbers (0 to 2^32 - 1) of `numbers` from `start` up to `end`. */
export function writeRice(writer: ChunkWriter, numbers: Uint32Array, start: number, end: number): void {
  writer.reserve(8 + 7 * (end - start))
  const bits = new BitWriter(writer)
  let last = -1
  for (let from = start; from < end; from += BLOCK) {
    const to = Math.min(from + BLOCK, end)
    const level = chooseLevel(numbers, from, to)
    writeLevel(bits, level, last)
    if (level > 0) writeBlock(bits, numbers, from, to, level - 1)
    last = level
  }
  bits.finish()
}

/** Reads the output of writeRice; throws ChunkDamagedError when the bytes run out. */
export function readRice(reader: ChunkReader, numbers: Uint32Array, start: number, end: number): void {
  const bits = new BitReader(reader)
  let last = -1
  for (let from = start; from < end; from += BLOCK) {
    const to = Math.min(from + BLOCK, end)
    const level = readLevel(bits, last)
    if (level > 0) readBlock(bits, numbers, from, to, level - 1)
    else numbers.fill(0, from, to)
    last = level
  }
  bits.finish()
}

/** Returns the cheapest level of a block: starts at the k that suits its mean and goes down while that saves bits. */
function chooseLevel(numbers: Uint32Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += numbers[i]
  if (sum === 0) return 0
  let k = Math.min(MAX_K, 32 - Math.clz32(sum / (to - from)))
  let cost = blockBits(numbers, from, to, k)
  while (k > 0) {
    const lower = blockBits(numbers, from, to, k - 1)
    if (lower > cost) break
    cost = lower
    k--
  }
  return k + 1
}

function blockBits(numbers: Uint32Array, from: number, to: number, k: number): number {
  let total = (to - from) * (k + 1)
  for (let i = from; i < to; i++) {
    const unary = numbers[i] >>> k
    total += unary < ESCAPE ? unary : ESCAPE + 31 - k
  }
  return total
}

/** Writes a level: the first with all its bits; later 1 for the same, 01 and a sign for one step, 001 and all bits. */
function writeLevel(bits: BitWriter, level: number, last: number): void {
  if (last < 0) bits.put(level, LEVEL_BITS)
  else if (level === last) bits.put(1, 1)
  else if (level === last + 1) bits.put(0b011, 3)
  else if (level === last - 1) bits.put(0b010, 3)
  else bits.put((1 << LEVEL_BITS) | level, 3 + LEVEL_BITS)
}

function readLevel(bits: BitReader, last: number): number {
  if (last < 0) return bits.take(LEVEL_BITS)
  if (bits.take(1) === 1) return last
  if (bits.take(1) === 1) return bits.take(1) === 1 ? last + 1 : last - 1
  bits.skip(1)
  return bits.take(LEVEL_BITS)
}

function writeBlock(bits: BitWriter, numbers: Uint32Array, from: number, to: number, k: number): void {
  const mask = (1 << k) - 1
  for (let i = from; i < to; i++) {
    const number = numbers[i]
    const unary = number >>> k
    const width = unary + 1 + k
    if (unary >= ESCAPE) {
      bits.put(0, ESCAPE)
      bits.put(number, 32)
    } else if (width <= 32) {
      bits.put((1 << k) | (number & mask), width)
    } else {
      bits.put(1, unary + 1)
      bits.put(number & mask, k)
    }
  }
}

function readBlock(bits: BitReader, numbers: Uint32Array, from: number, to: number, k: number): void {
  for (let i = from; i < to; i++) {
    const next = bits.peek()
    const unary = Math.clz32(next)
    const width = unary + 1 + k
    if (unary >= ESCAPE) {
      bits.skip(ESCAPE)
      numbers[i] = bits.take(32)
    } else if (width <= 32) {
      bits.skip(width)
      // A shift by 32 is a shift by 0, so k = 0 is a case of its own.
      numbers[i] = k === 0 ? unary : (unary << k) | ((next << (unary + 1)) >>> (32 - k))
    } else {
      bits.skip(unary + 1)
      numbers[i] = (unary << k) | bits.take(k)
    }
  }
}

// 64-bit numbers are mostly noise in their lower half, where no code helps: a common width for each block loses little.

const WIDTH_BITS = 7

/** Writes the 64-bit numbers from `start` up to `end`, with as many bits in each block as its largest number needs. */
export function writePacked(
  writer: ChunkWriter,
  low: Uint32Array,
  high: Uint32Array,
  start: number,
  end: number,
): void {
  writer.reserve(8 + 9 * (end - start))
  const bits = new BitWriter(writer)
  for (let from = start; from < end; from += BLOCK) {
    const to = Math.min(from + BLOCK, end)
    const width = commonWidth(low, high, from, to)
    bits.put(width, WIDTH_BITS)
    for (let i = from; i < to; i++) {
      if (width > 32) bits.put(high[i], width - 32)
      if (width > 0) bits.put(low[i], Math.min(width, 32))
    }
  }
  bits.finish()
}

/** Reads the output of writePacked; throws ChunkDamagedError when the bytes run out. */
export function readPacked(reader: ChunkReader, low: Uint32Array, high: Uint32Array, start: number, end: number): void {
  const bits = new BitReader(reader)
  for (let from = start; from < end; from += BLOCK) {
    const to = Math.min(from + BLOCK, end)
    const width = bits.take(WIDTH_BITS)
    for (let i = from; i < to; i++) {
      high[i] = width > 32 ? bits.take(width - 32) : 0
      low[i] = width > 0 ? bits.take(Math.min(width, 32)) : 0
    }
  }
  bits.finish()
}

function commonWidth(low: Uint32Array, high: Uint32Array, from: number, to: number): number {
  let anyLow = 0
  let anyHigh = 0
  for (let i = from; i < to; i++) {
    anyLow |= low[i]
    anyHigh |= high[i]
  }
  return anyHigh === 0 ? 32 - Math.clz32(anyLow) : 64 - Math.clz32(anyHigh)
}

/** Writes bits into the bytes of a chunk, highest first. The caller reserves room beforehand. */
class BitWriter {
  private readonly writer: ChunkWriter
  private word = 0
  private free = 32

  constructor(writer: ChunkWriter) {
    this.writer = writer
  }

  /** Writes the lowest `width` (1 to 32) bits of `value`, which has no others set. */
  put(value: number, width: number): void {
    if (width < this.free) {
      this.free -= width
      this.word |= value << this.free
      return
    }
    const left = width - this.free
    this.flush(this.word | (value >>> left))
    this.free = 32 - left
    this.word = left === 0 ? 0 : value << this.free
  }

  /** Fills the last byte with zeros; nothing may be written afterwards. */
  finish(): void {
    const { writer } = this
    for (let used = 32 - this.free; used > 0; used -= 8) {
      writer.bytes[writer.at++] = this.word >>> 24
      this.word <<= 8
    }
  }

  private flush(word: number): void {
    const { bytes, at } = this.writer
    bytes[at] = word >>> 24
    bytes[at + 1] = word >>> 16
    bytes[at + 2] = word >>> 8
    bytes[at + 3] = word
    this.writer.at = at + 4
  }
}

/** Reads the output of BitWriter. Bits beyond the end are undefined; `finish` then refuses them. */
class BitReader {
  private readonly reader: ChunkReader
  private readonly bytes: Uint8Array
  private position: number

  constructor(reader: ChunkReader) {
    this.reader = reader
    this.bytes = reader.bytes
    this.position = reader.at * 8
  }

  /** Returns the next 32 bits without moving past them. */
  peek(): number {
    const { bytes, position } = this
    const at = position >>> 3
    const shift = position & 7
    const word = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
    return (word << shift) | (bytes[at + 4] >>> (8 - shift))
  }

  skip(width: number): void {
    this.position += width
  }

  /** Reads the next `width` (1 to 32) bits as an unsigned number. */
  take(width: number): number {
    const value = this.peek() >>> (32 - width)
    this.position += width
    return value
  }

  /** Moves the byte reader to the position, rounded up to whole bytes; throws when that is beyond the end. */
  finish(): void {
    const at = Math.ceil(this.position / 8)
    if (at > this.reader.end) throw new ChunkDamagedError('it ends early')
    this.reader.at = at
  }
}
