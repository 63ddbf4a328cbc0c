import { ChunkDamagedError } from './chunk-damaged-error.ts'
import type { ChunkReader } from './chunk-reader.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { UNIT_RAW } from './column-unit.ts'

/** The first byte of a column: how the rest of it is to be read. */
export type ColumnHead = {
  /** Index into COLUMN_UNITS, or UNIT_RAW. */
  readonly unit: number
  /** Order of prediction, or ORDER_CONSTANT. */
  readonly order: number
  /** Words have 64 bits. */
  readonly wide: boolean
  /** Some values are absent. */
  readonly sparse: boolean
}

/** Units up to here fit into the head; others follow in a byte of their own. */
const LAST_SHORT_UNIT = 13
const CODE_LONG_UNIT = 14
const CODE_RAW = 15

/** In place of an order: all values are the same, and it is written once. */
export const ORDER_CONSTANT = 3

/** The column has no values at all; a combination that nothing else gives, since raw words are wide. */
export const HEAD_ABSENT = packHead({ unit: UNIT_RAW, order: 0, wide: false, sparse: false })

export function packHead({ unit, order, wide, sparse }: ColumnHead): number {
  return unitCode(unit) | (order << 4) | (wide ? 0x40 : 0) | (sparse ? 0x80 : 0)
}

/** The head without its unit, which may come later: see readUnit. */
export function unpackHead(byte: number): Omit<ColumnHead, 'unit'> {
  return { order: (byte >> 4) & 3, wide: (byte & 0x40) !== 0, sparse: (byte & 0x80) !== 0 }
}

/** Writes what of a unit does not fit into the head. */
export function writeUnit(writer: ChunkWriter, unit: number): void {
  if (unitCode(unit) === CODE_LONG_UNIT) writer.byte(unit)
}

/** The unit of a head; throws ChunkDamagedError when there is no such unit. */
export function readUnit(reader: ChunkReader, head: number): number {
  const code = head & 15
  if (code === CODE_RAW) return UNIT_RAW
  if (code !== CODE_LONG_UNIT) return code
  const unit = reader.byte()
  if (unit >= UNIT_RAW) throw new ChunkDamagedError('a column has an unknown unit')
  return unit
}

function unitCode(unit: number): number {
  if (unit === UNIT_RAW) return CODE_RAW
  return unit <= LAST_SHORT_UNIT ? unit : CODE_LONG_UNIT
}
