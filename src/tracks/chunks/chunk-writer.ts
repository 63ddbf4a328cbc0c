/** Bytes under construction: they grow as needed, and `take` gives a copy of exactly what was written. */
export class ChunkWriter {
  bytes: Uint8Array
  /** Where the next byte goes. Setting it back drops what was written since. */
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

  /** One byte, 0 to 255. */
  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.at++] = value
  }

  /** A whole number from 0 to 2^53, seven bits a byte, lowest first (LEB128). */
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
   * A whole number from -2^53 to 2^53 as a varint whose lowest bit is the sign. Twice the number would not fit a
   * double, so the lowest byte is written apart.
   */
  signedVarint(value: number): void {
    const negative = value < 0 ? 1 : 0
    const magnitude = negative ? -value - 1 : value
    const lowest = ((magnitude % 64) << 1) | negative
    const rest = Math.floor(magnitude / 64)
    this.byte(rest > 0 ? lowest | 0x80 : lowest)
    if (rest > 0) this.varint(rest)
  }

  /** Four bytes, lowest first. */
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
