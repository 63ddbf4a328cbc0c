import { NUMBER_RULES } from './check-point.ts'
import { NUMBER_COLUMNS, ORIGINS } from './point-columns.ts'
import type { ScanColumns } from './scan-columns.ts'
import {
  BEFORE_FIRST_FIELD,
  fieldAt,
  KEY_LENGTHS,
  KEY_LOOK_AHEAD,
  REQUIRED_FIELDS,
  TIMESTAMP_FIELD,
  UNKNOWN_FIELD,
} from './scan-key.ts'
import { scanNumber } from './scan-number.ts'
import { skipPlainMember } from './scan-scalar.ts'
import { COMMA, GIVE_UP, LEFT_BRACE, QUOTE, RIGHT_BRACE, skipColon, skipNull, skipSpace } from './scan-text.ts'
import { scanTimestamp } from './scan-timestamp.ts'

/** The bytes of a body, and the same memory as words. The last byte is a closing brace, so that scanning stops there. */
export type ScanInput = { readonly bytes: Buffer; readonly view: DataView }

const QUOTED_ORIGINS = ORIGINS.map((origin) => Buffer.from(`"${origin}"`))

/** How many fields a point may have, unknown ones included; with more, the slow path counts the body's values. */
export const MAX_MEMBERS = 24

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
  const lastKey = bytes.length - KEY_LOOK_AHEAD
  let fields = 0
  let members = 0
  let previous = BEFORE_FIRST_FIELD
  let at = skipSpace(bytes, start + 1)
  while (bytes[at] === QUOTE && members < MAX_MEMBERS) {
    const field = at > lastKey ? UNKNOWN_FIELD : fieldAt(view, at, previous)
    if (field === UNKNOWN_FIELD) {
      at = skipPlainMember(bytes, at)
    } else {
      // Of a repeated key the last one counts; the slow path takes care of that.
      if ((fields & (1 << field)) !== 0) return GIVE_UP
      fields |= 1 << field
      at = scanField(bytes, at + KEY_LENGTHS[field], columns, index, field)
      previous = field
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
  for (let code = 1; code < QUOTED_ORIGINS.length; code++) {
    const origin = QUOTED_ORIGINS[code]
    if (isAt(bytes, start, origin)) {
      column[index] = code
      return start + origin.length
    }
  }
  return GIVE_UP
}

function isAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[start + index] !== text[index]) return false
  return true
}
