import type { NamedField } from '../../points/point-fields.ts'
import { isWordAt, type ScanInput, type ScanWord, scanWord } from './scan-text.ts'

/** A field of a point: its key and type, and the column that it is scanned into. */
export type ScanField = {
  readonly name: NamedField['column']
  readonly key: ScanWord
  readonly kind: NamedField['kind']
  /** The values of a field of the kind 'choice', in the order of their numbers from 1. */
  readonly choices: readonly ScanWord[]
  readonly isRequired: boolean
  readonly min: number
  readonly max: number
  /** A bit that no other field has. */
  readonly bit: number
  /** NaN where a point does not have the field, also in a column of choices. */
  readonly column: Float64Array
  /** The field that last came after this one: clients write the fields of all points in the same order. */
  next: ScanField | undefined
}

/** Makes a field with a column for `capacity` points; `place` is its number among the fields. */
export function makeScanField(field: NamedField, place: number, capacity: number): ScanField {
  const { min = -Infinity, max = Infinity } = field.kind === 'number' ? field : {}
  return {
    name: field.column,
    key: scanWord(field.key),
    kind: field.kind,
    choices: field.kind === 'choice' ? field.choices.map(scanWord) : [],
    isRequired: field.kind === 'time' || (field.kind === 'number' && field.isRequired),
    min,
    max,
    bit: 1 << place,
    column: new Float64Array(capacity),
    next: undefined,
  }
}

/**
 * Returns the field whose key, with its opening quote, is at `at`; undefined for any other key and for anything else.
 * `previous` is the field before it, from which the next one is guessed.
 */
export function fieldAt(
  input: ScanInput,
  at: number,
  previous: ScanField,
  fields: readonly ScanField[],
): ScanField | undefined {
  const guess = previous.next
  return guess !== undefined && isWordAt(input, at, guess.key) ? guess : findField(input, at, previous, fields)
}

function findField(
  input: ScanInput,
  at: number,
  previous: ScanField,
  fields: readonly ScanField[],
): ScanField | undefined {
  const field = fields.find(({ key }) => isWordAt(input, at, key))
  if (field !== undefined) previous.next = field
  return field
}
