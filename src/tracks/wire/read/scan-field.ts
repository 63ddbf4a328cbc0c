import type { ScanInput } from './scan-input.ts'
import { isWordAt, type ScanWord, scanWord } from './scan-word.ts'

/** A field of a point: how to know its key, and the column that it is scanned into. */
export type ScanField = {
  readonly key: ScanWord
  readonly kind: 'number' | 'timestamp' | 'origin'
  readonly isRequired: boolean
  /** A bit that no other field has. */
  readonly bit: number
  /** NaN where a point does not have the field, also in the column of `origin`. */
  readonly column: Float64Array
  /** The field that came after this one the last time: clients write the fields of all points in one order. */
  next: ScanField | undefined
}

/** Makes a field with a column for `capacity` points; `place` is its number among the fields. */
export function makeScanField(
  key: string,
  { kind, isRequired, place, capacity }: Pick<ScanField, 'kind' | 'isRequired'> & { place: number; capacity: number },
): ScanField {
  const column = new Float64Array(capacity)
  return { key: scanWord(key), kind, isRequired, bit: 1 << place, column, next: undefined }
}

/**
 * The field whose key, with its opening quote, is at `at`, or undefined for every other key and for what is none.
 * `previous` is the field before, from which the next one is guessed.
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
