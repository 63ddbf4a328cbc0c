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

/** In place of an order: all values are the same, and it is written once. */
export const ORDER_CONSTANT = 3

/** The column has no values at all; a combination that nothing else gives, since raw words are wide. */
export const HEAD_ABSENT = packHead({ unit: UNIT_RAW, order: 0, wide: false, sparse: false })

export function packHead({ unit, order, wide, sparse }: ColumnHead): number {
  return unit | (order << 4) | (wide ? 0x40 : 0) | (sparse ? 0x80 : 0)
}

export function unpackHead(byte: number): ColumnHead {
  return { unit: byte & 15, order: (byte >> 4) & 3, wide: (byte & 0x40) !== 0, sparse: (byte & 0x80) !== 0 }
}
