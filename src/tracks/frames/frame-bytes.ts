import type { TrackState } from '../model/track-state.ts'

/** "TF" and the version of the format. */
export const START = Uint8Array.of(0x54, 0x46, 1)
/** Bits of the byte after it. */
export const FLAG = { whole: 1, battery: 2, speed: 4 }
/** States by their bits. */
export const STATES: readonly TrackState[] = ['running', 'paused', 'stopped']
/** Bits of the byte of a track, above the bits of its state. */
export const BIT = { position: 4, rank: 8, details: 16 }

/** Writes the numbers and bytes of a frame one after another. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(Math.max(64, capacity))
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Returns a copy of everything written. */
  result(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  bytes(values: Uint8Array): void {
    if (this.#length + values.length > this.#bytes.length) this.#grow(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  /** Writes a whole number from 0 to 2⁵³ − 1 in groups of seven bits, the lowest first (LEB128). */
  unsigned(value: number): void {
    let rest = value
    while (rest > 127) {
      this.byte((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  /** Writes a whole number of at most 2⁵², positive or not, so that small ones are short. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value)
  }

  #grow(atLeast: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + atLeast))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Most bytes of a number: 2⁵³ has eight groups of seven bits. */
const MAX_NUMBER_BYTES = 8

/** Reads what `ByteWriter` wrote. Each method throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Number of bytes that have not been read. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    if (this.#at === this.#bytes.length) throw new RangeError('The frame is cut off.')
    return this.#bytes[this.#at++]
  }

  bytes(count: number): Uint8Array {
    if (count > this.left) throw new RangeError('The frame is cut off.')
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  unsigned(): number {
    let value = 0
    for (let i = 0, unit = 1; i < MAX_NUMBER_BYTES; i++, unit *= 128) {
      const group = this.byte()
      value += (group & 127) * unit
      if (group < 128) return value
    }
    throw new RangeError('A number of the frame is too long.')
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}
