import { ChunkDamagedError } from './chunk-damaged-error.ts'

/** Reads what ChunkWriter wrote, never beyond `end`; throws ChunkDamagedError where the bytes run out. */
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

  /** A whole number from 0 to 2^53. */
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

  /** A whole number from -2^53 to 2^53. */
  signedVarint(): number {
    const lowest = this.byte()
    const rest = lowest >= 0x80 ? this.varint() : 0
    const magnitude = rest * 64 + ((lowest & 0x7f) >> 1)
    if (magnitude > 2 ** 53) throw new ChunkDamagedError('a number is too large')
    return lowest & 1 ? -magnitude - 1 : magnitude
  }

  /** A number of things, at most `limit`; a larger one is damage, found before anything is allocated for it. */
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

  /** The next `length` bytes, as a view. */
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
