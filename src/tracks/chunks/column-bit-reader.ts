import { ChunkDamagedError } from './chunk-damaged-error.ts'
import type { ChunkReader } from './chunk-reader.ts'

/** Reads what ColumnBitWriter wrote. Bits beyond the end read as anything; `finish` then refuses them. */
export class ColumnBitReader {
  private readonly reader: ChunkReader
  private readonly bytes: Uint8Array
  private position: number

  constructor(reader: ChunkReader) {
    this.reader = reader
    this.bytes = reader.bytes
    this.position = reader.at * 8
  }

  /** The next 32 bits, without going past them. */
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

  /** The next `width` (1 to 32) bits as an unsigned number. */
  take(width: number): number {
    const value = this.peek() >>> (32 - width)
    this.position += width
    return value
  }

  /** Hands the position, rounded up to whole bytes, back to the byte reader. Throws when it lies beyond the end. */
  finish(): void {
    const at = Math.ceil(this.position / 8)
    if (at > this.reader.end) throw new ChunkDamagedError('it ends early')
    this.reader.at = at
  }
}
