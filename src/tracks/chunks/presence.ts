import type { ChunkReader, ChunkWriter } from './bytes.ts'
import { ChunkDamagedError } from './chunk-damaged-error.ts'
import { readRice, writeRice } from './integers.ts'
import type { ColumnWords } from './words.ts'

// The values that a column has, as Rice-coded lengths of alternating runs of present and absent ones. Sensors fail and
// return for minutes, so this takes a few bytes; even when every other value is missing it takes less than a bit each.

/** Lengths of the runs; `startsPresent` when the first one is of present values. */
type Presence = { readonly startsPresent: boolean; readonly runs: Uint32Array }

/** Writes the places at which `column` is not NaN. */
export function writePresence(writer: ChunkWriter, column: Float64Array | Uint8Array, words: ColumnWords): void {
  const { low } = words
  let runs = 0
  let start = 0
  for (let i = 1; i <= column.length; i++) {
    if (i < column.length && Number.isNaN(column[i]) === Number.isNaN(column[start])) continue
    low[runs++] = i - start - 1
    start = i
  }
  writer.varint(2 * runs + (Number.isNaN(column[0]) ? 0 : 1))
  writeRice(writer, low, 0, runs)
}

/** Reads what writePresence wrote; throws ChunkDamagedError unless the runs fill exactly `count` values. */
export function readPresence(reader: ChunkReader, count: number, words: ColumnWords): Presence {
  const header = reader.count(2 * count + 1)
  const length = Math.floor(header / 2)
  readRice(reader, words.low, 0, length)
  const runs = words.low.slice(0, length)
  let total = 0
  for (let i = 0; i < length; i++) {
    runs[i]++
    total += runs[i]
  }
  if (total !== count) throw new ChunkDamagedError('presence does not match the number of points')
  return { startsPresent: header % 2 === 1, runs }
}

/** Returns the number of present values. */
export function presentCount({ startsPresent, runs }: Presence): number {
  let count = 0
  for (let i = startsPresent ? 0 : 1; i < runs.length; i += 2) count += runs[i]
  return count
}

/** Spreads values without gaps over a column, with NaN for absent ones. */
export function spread(values: Float64Array, { startsPresent, runs }: Presence, column: Float64Array): void {
  let present = startsPresent
  let from = 0
  let at = 0
  for (const run of runs) {
    if (present) {
      column.set(values.subarray(from, from + run), at)
      from += run
    } else {
      column.fill(Number.NaN, at, at + run)
    }
    at += run
    present = !present
  }
}
