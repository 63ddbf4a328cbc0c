import { ChunkDamagedError } from './chunk-damaged-error.ts'
import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { HEAD_ABSENT, ORDER_CONSTANT, packHead, readUnit, unpackHead } from './column-head.ts'
import {
  type ColumnOptions,
  readConstant,
  readNarrow,
  readWide,
  writeConstant,
  writeNumbers,
} from './column-numbers.ts'
import { presentCount, readPresence, spread, writePresence } from './column-presence.ts'
import { UNIT_RAW } from './column-unit.ts'
import { columnWords } from './column-words.ts'

/** Writes a column of doubles, NaN where one is absent, so that readColumn gives the same bits again. */
export function writeColumn(writer: ChunkWriter, column: Float64Array, options: ColumnOptions): void {
  const words = columnWords(column.length)
  const present = gather(column, words.values)
  if (present === 0) {
    writer.byte(HEAD_ABSENT)
    return
  }
  const sparse = present < column.length
  const headAt = writer.at
  writer.byte(0)
  if (sparse) writePresence(writer, column, words)
  const body = isConstant(words.values, present)
    ? writeConstant(writer, words, options)
    : writeNumbers(writer, words, present, options)
  writer.bytes[headAt] = packHead({ ...body, sparse })
}

/** Fills `column` with what writeColumn wrote; throws ChunkDamagedError when that cannot have been written. */
export function readColumn(reader: ChunkReader, column: Float64Array): void {
  const byte = reader.byte()
  if (byte === HEAD_ABSENT) {
    column.fill(Number.NaN)
    return
  }
  const head = unpackHead(byte)
  const words = columnWords(column.length)
  const presence = head.sparse ? readPresence(reader, column.length, words) : undefined
  const unit = readUnit(reader, byte)
  const present = presence ? presentCount(presence) : column.length
  if (head.order === ORDER_CONSTANT) readConstant(reader, words, present, unit)
  else if (unit === UNIT_RAW && !head.wide) throw new ChunkDamagedError('a column has an unknown form')
  else if (head.wide) readWide(reader, words, present, head.order, unit)
  else readNarrow(reader, words, present, head.order, unit)
  if (presence) spread(words.values, presence, column)
  else column.set(words.values.subarray(0, present))
}

/** Puts the present values one after another, and tells how many there are. */
function gather(column: Float64Array, values: Float64Array): number {
  values.set(column)
  let present = 0
  while (present < column.length && !Number.isNaN(column[present])) present++
  for (let i = present + 1; i < column.length; i++) {
    if (!Number.isNaN(column[i])) values[present++] = column[i]
  }
  return present
}

function isConstant(values: Float64Array, count: number): boolean {
  for (let i = 1; i < count; i++) if (!Object.is(values[i], values[0])) return false
  return true
}
