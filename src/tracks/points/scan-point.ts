import { NUMBER_RULES } from './check-point.ts'
import { NUMBER_COLUMNS, ORIGINS } from './point-columns.ts'
import type { ScanColumns } from './scan-columns.ts'
import { fieldAt, KEY_LENGTHS, REQUIRED_FIELDS, TIMESTAMP_FIELD, UNKNOWN_FIELD } from './scan-key.ts'
import { scanNumber } from './scan-number.ts'
import { skipPlainMember } from './scan-scalar.ts'
import {
  COMMA,
  GIVE_UP,
  LEFT_BRACE,
  QUOTE,
  RIGHT_BRACE,
  skipColon,
  skipNull,
  skipPlainString,
  skipSpace,
} from './scan-text.ts'
import { scanTimestamp } from './scan-timestamp.ts'

/** The bytes of a body, and the same memory as words. The last byte is a closing brace, so that scanning stops there. */
export type ScanInput = { readonly bytes: Buffer; readonly view: DataView }

const ORIGIN_BYTES = ORIGINS.map((origin) => Buffer.from(origin ?? ''))

/** How many fields a point may have, unknown ones included; with more, the slow path counts the body's values. */
export const MAX_MEMBERS = 24

/** The field at each place of the last point: the next one most likely has its fields in the same order. */
const keyOrder = new Uint8Array(MAX_MEMBERS)

const LETTER_N = 0x6e
const MINIMUMS = Float64Array.from(NUMBER_COLUMNS, (column) => Math.max(NUMBER_RULES[column].min, -Number.MAX_VALUE))
const MAXIMUMS = Float64Array.from(NUMBER_COLUMNS, (column) => Math.min(NUMBER_RULES[column].max, Number.MAX_VALUE))

/**
 * Reads the point whose opening brace is at `start` into the columns at `index` and gives the offset after it, or
 * GIVE_UP if anything in it is wrong, repeated or in an unusual spelling.
 */
export function scanPoint(input: ScanInput, start: number, columns: ScanColumns, index: number): number {
  const { bytes, view } = input
  if (bytes[start] !== LEFT_BRACE) return GIVE_UP
  clearPoint(columns, index)
  let fields = 0
  let members = 0
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] === QUOTE && members < MAX_MEMBERS) {
    const field = fieldAt(view, at + 1, keyOrder[members])
    if (field === UNKNOWN_FIELD) {
      at = skipPlainMember(bytes, at)
    } else {
      // Of a repeated key the last one counts; the slow path takes care of that.
      if ((fields & (1 << field)) !== 0) return GIVE_UP
      fields |= 1 << field
      keyOrder[members] = field
      at = scanField(bytes, at + 1 + KEY_LENGTHS[field], columns, index, field)
    }
    if (at === GIVE_UP) return GIVE_UP
    at = skipSpace(bytes, at)
    if (bytes[at] === RIGHT_BRACE) return (fields & REQUIRED_FIELDS) === REQUIRED_FIELDS ? at + 1 : GIVE_UP
    if (bytes[at] !== COMMA) return GIVE_UP
    at = skipSpace(bytes, at + 1)
    members++
  }
  return GIVE_UP
}

function clearPoint({ numbers, origin }: ScanColumns, index: number): void {
  for (let field = 0; field < numbers.length; field++) numbers[field][index] = Number.NaN
  origin[index] = 0
}

/** Reads the colon and the value after a field's key. */
function scanField(bytes: Buffer, keyEnd: number, columns: ScanColumns, index: number, field: number): number {
  const at = skipColon(bytes, keyEnd)
  if (at === GIVE_UP) return GIVE_UP
  if (bytes[at] === LETTER_N) return (REQUIRED_FIELDS & (1 << field)) === 0 ? skipNull(bytes, at) : GIVE_UP
  if (field === TIMESTAMP_FIELD) return scanTimestamp(bytes, at, columns.timeMs, index)
  if (field > TIMESTAMP_FIELD) return scanOrigin(bytes, at, columns.origin, index)
  const column = columns.numbers[field]
  const end = scanNumber(bytes, at, column, index)
  return column[index] >= MINIMUMS[field] && column[index] <= MAXIMUMS[field] ? end : GIVE_UP
}

function scanOrigin(bytes: Buffer, start: number, column: Uint8Array, index: number): number {
  const end = skipPlainString(bytes, start)
  if (bytes[start] !== QUOTE || end === GIVE_UP) return GIVE_UP
  const code = ORIGIN_BYTES.findIndex((name) => isAt(bytes, start + 1, end - 1, name))
  column[index] = code
  return code > 0 ? end : GIVE_UP
}

function isAt(bytes: Buffer, start: number, end: number, text: Buffer): boolean {
  if (end - start !== text.length) return false
  for (let index = 0; index < text.length; index++) if (bytes[start + index] !== text[index]) return false
  return true
}
