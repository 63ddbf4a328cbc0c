import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { ColumnBitReader } from './column-bit-reader.ts'
import { ColumnBitWriter } from './column-bit-writer.ts'

// 64-bit numbers are mostly noise in their lower half, where no code helps: blocks of equally many bits lose little.

const BLOCK = 32
const WIDTH_BITS = 7

/** Writes the 64-bit numbers from `start` up to `end`, those of a block with as many bits as its largest needs. */
export function writePacked(
  writer: ChunkWriter,
  low: Uint32Array,
  high: Uint32Array,
  start: number,
  end: number,
): void {
  writer.reserve(8 + 9 * (end - start))
  const bits = new ColumnBitWriter(writer)
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

/** Reads what writePacked wrote; throws ChunkDamagedError when the bytes run out. */
export function readPacked(reader: ChunkReader, low: Uint32Array, high: Uint32Array, start: number, end: number): void {
  const bits = new ColumnBitReader(reader)
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
