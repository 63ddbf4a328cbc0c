import type { ScanColumns } from './scan-columns.ts'
import { fieldAt, type ScanField } from './scan-field.ts'
import { scanNumber } from './scan-number.ts'
import {
  COMMA,
  GIVE_UP,
  isWordAt,
  LEFT_BRACE,
  RIGHT_BRACE,
  type ScanInput,
  skipColon,
  skipNull,
  skipSpace,
} from './scan-text.ts'
import { scanTimestamp } from './scan-timestamp.ts'
import { skipPlainMember } from './skip-member.ts'

/** Maximum number of members of a point, including unknown ones; beyond it the slow path counts the body's values. */
export const MAX_MEMBERS = 24

/**
 * Reads the point whose opening brace is at `start` into the columns at `index` and returns the offset after it, or
 * GIVE_UP if anything in it is invalid, repeated or in an unusual spelling. Does not check the bounds of numbers.
 */
export function scanPoint(input: ScanInput, start: number, columns: ScanColumns, index: number): number {
  const { bytes } = input
  const { fields, optional, requiredBits } = columns
  if (bytes[start] !== LEFT_BRACE) return GIVE_UP
  for (let place = 0; place < optional.length; place++) optional[place].column[index] = Number.NaN
  let present = 0
  let previous = columns.start
  let at = skipSpace(bytes, start + 1)
  for (let members = 0; members < MAX_MEMBERS; members++) {
    const field = fieldAt(input, at, previous, fields)
    if (field === undefined) {
      at = skipPlainMember(bytes, at)
    } else {
      // The last of repeated keys counts; the slow path handles that.
      if ((present & field.bit) !== 0) return GIVE_UP
      present |= field.bit
      at = scanValue(input, at + field.key.length, field, index)
      previous = field
    }
    if (at === GIVE_UP) return GIVE_UP
    at = skipSpace(bytes, at)
    const byte = bytes[at]
    if (byte === RIGHT_BRACE) return (present & requiredBits) === requiredBits ? at + 1 : GIVE_UP
    if (byte !== COMMA) return GIVE_UP
    at = skipSpace(bytes, at + 1)
  }
  return GIVE_UP
}

/** Reads the colon and the value after a field's key. */
function scanValue(input: ScanInput, keyEnd: number, field: ScanField, index: number): number {
  const at = skipColon(input.bytes, keyEnd)
  if (at === GIVE_UP) return GIVE_UP
  const end = scanKind(input, at, field, index)
  return end === GIVE_UP && !field.isRequired ? skipNull(input.bytes, at) : end
}

function scanKind(input: ScanInput, at: number, field: ScanField, index: number): number {
  if (field.kind === 'number') return scanNumber(input.bytes, at, field.column, index)
  if (field.kind === 'time') return scanTimestamp(input.bytes, at, field.column, index)
  return scanChoice(input, at, field, index)
}

function scanChoice(input: ScanInput, at: number, { choices, column }: ScanField, index: number): number {
  for (let place = 0; place < choices.length; place++) {
    if (isWordAt(input, at, choices[place])) {
      column[index] = place + 1
      return at + choices[place].length
    }
  }
  return GIVE_UP
}
