import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import type { ColumnWords } from './column-words.ts'

/**
 * What can be done with a series of whole numbers of one width, 32 or 64 bits. All of it works in place on the words
 * from `from` up to `count`, and arithmetic is modulo 2^32 or 2^64, so that every step has an exact way back.
 */
export type ColumnWidth = {
  readonly bytesPerWord: 4 | 8
  /** Replaces each word by its difference to the one before; the word before `from` is only read. */
  difference(words: ColumnWords, from: number, count: number): void
  /** Undoes `difference`. */
  accumulate(words: ColumnWords, from: number, count: number): void
  /** Maps signed words to unsigned ones so that those near zero stay small: 0, -1, 1, -2 to 0, 1, 2, 3. */
  foldSigns(words: ColumnWords, from: number, count: number): void
  /** Undoes `foldSigns`. */
  unfoldSigns(words: ColumnWords, from: number, count: number): void
  /** Sum of the lengths of the words in bits; `signed` counts them as if their signs were folded. */
  bits(words: ColumnWords, from: number, count: number, signed: boolean): number
  /** Writes the words in few bits. */
  write(writer: ChunkWriter, words: ColumnWords, from: number, count: number): void
  /** Reads what `write` wrote; throws ChunkDamagedError when the bytes run out. */
  read(reader: ChunkReader, words: ColumnWords, from: number, count: number): void
}
