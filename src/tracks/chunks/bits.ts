import type { ChunkReader, ChunkWriter } from './bytes.ts'
import { ChunkDamagedError } from './chunk-damaged-error.ts'

/** Writes bits into the bytes of a chunk, highest first. The caller reserves room beforehand. */
export class BitWriter {
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

/** Reads what BitWriter wrote. Bits beyond the end are undefined; `finish` then refuses them. */
export class BitReader {
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
