/** Reads the output of ChunkWriter, never beyond `end`; throws ChunkDamagedError when the bytes run out. */
export class ChunkReader {
  readonly bytes: Uint8Array
  readonly end: number
  at: number

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  byte(): number {
    if (this.at >= this.end) throw new ChunkDamagedError('it ends early')
    return this.bytes[this.at++]
  }

  /** Reads a whole number from 0 to 2^53. */
  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (value > 2 ** 53) throw new ChunkDamagedError('a number is too large')
      if (byte < 0x80) return value
      scale *= 128
      if (scale > 2 ** 53) throw new ChunkDamagedError('a number is too long')
    }
  }

  /** Reads a whole number from -2^53 to 2^53. */
  signedVarint(): number {
    const lowest = this.byte()
    const rest = lowest >= 0x80 ? this.varint() : 0
    const magnitude = rest * 64 + ((lowest & 0x7f) >> 1)
    if (magnitude > 2 ** 53) throw new ChunkDamagedError('a number is too large')
    return lowest & 1 ? -magnitude - 1 : magnitude
  }

  /** Reads a count of at most `limit`; a larger one is damage, found before anything is allocated for it. */
  count(limit: number): number {
    const count = this.varint()
    if (count > limit) throw new ChunkDamagedError(`it claims ${count} where ${limit} is the most possible`)
    return count
  }

  uint32(): number {
    const { bytes, at } = this
    this.skip(4)
    return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0
  }

  /** Returns the next `length` bytes as a view. */
  take(length: number): Uint8Array {
    const start = this.at
    this.skip(length)
    return this.bytes.subarray(start, this.at)
  }

  private skip(length: number): void {
    if (length > this.end - this.at) throw new ChunkDamagedError('it ends early')
    this.at += length
  }
}

/** A growing sequence of bytes; `take` returns a copy of exactly the written ones. */
export class ChunkWriter {
  bytes: Uint8Array
  /** Offset of the next byte. Setting it back drops the bytes after it. */
  at = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Makes room for `length` more bytes. */
  reserve(length: number): void {
    if (this.at + length <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.at + length))
    grown.set(this.bytes.subarray(0, this.at))
    this.bytes = grown
  }

  /** Writes one byte, 0 to 255. */
  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.at++] = value
  }

  /** Writes a whole number from 0 to 2^53, seven bits per byte, lowest first (LEB128). */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest >= 0x8000_0000) {
      this.bytes[this.at++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest >= 0x80) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.at++] = rest
  }

  /**
   * Writes a whole number from -2^53 to 2^53 as a varint whose lowest bit is the sign. Twice the number would not fit
   * a double, so the lowest byte is written separately.
   */
  signedVarint(value: number): void {
    const negative = value < 0 ? 1 : 0
    const magnitude = negative ? -value - 1 : value
    const lowest = ((magnitude % 64) << 1) | negative
    const rest = Math.floor(magnitude / 64)
    this.byte(rest > 0 ? lowest | 0x80 : lowest)
    if (rest > 0) this.varint(rest)
  }

  /** Writes four bytes, lowest first. */
  uint32(value: number): void {
    this.reserve(4)
    const { bytes } = this
    bytes[this.at++] = value & 0xff
    bytes[this.at++] = (value >>> 8) & 0xff
    bytes[this.at++] = (value >>> 16) & 0xff
    bytes[this.at++] = value >>> 24
  }

  append(block: Uint8Array): void {
    this.reserve(block.length)
    this.bytes.set(block, this.at)
    this.at += block.length
  }

  take(): Uint8Array {
    return this.bytes.slice(0, this.at)
  }
}

/** A chunk in the making has at most this size, with few exceptions, whose memory is not kept. */
const MAX_KEPT_BYTES = 1_048_576
const FIRST_KEPT_BYTES = 4096

let kept = new ChunkWriter(FIRST_KEPT_BYTES)

/**
 * Returns an empty writer that is reused from call to call, because for a batch of ten points its memory would cost as
 * much as a column. No one may hold it beyond one chunk, and nothing asynchronous may happen in between.
 */
export function scratchWriter(): ChunkWriter {
  if (kept.bytes.length > MAX_KEPT_BYTES) kept = new ChunkWriter(FIRST_KEPT_BYTES)
  kept.at = 0
  return kept
}

const BEGINNING = 'Damaged chunk: '

/** Thrown when the bytes of a chunk are not as written; `reason` describes the damage. Its points cannot be read. */
export class ChunkDamagedError extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(BEGINNING + reason, options)
    this.name = 'ChunkDamagedError'
    this.reason = reason
  }
}

/** Tells whether a chunk is damaged, also where another thread has found it: such an error has only its message. */
export function isChunkDamaged(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(BEGINNING)
}
