import type { ChunkWriter } from './chunk-writer.ts'

/** Bits after bits, highest first, into the bytes of a chunk. The caller reserves room beforehand. */
export class ColumnBitWriter {
  private readonly writer: ChunkWriter
  private word = 0
  private free = 32

  constructor(writer: ChunkWriter) {
    this.writer = writer
  }

  /** The lowest `width` (1 to 32) bits of `value`, which has no others set. */
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

  /** Fills the last byte with zeros; nothing may be put after. */
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
