import type { NamedField } from '../point-fields.ts'

// The scanner's functions take an offset and return the one after what they read, or UNSCANNABLE for anything that is
// not in ordinary spelling. The last byte is a closing brace, at which everything but a string stops: a read past the
// end would do no harm, but once one has happened, V8 compiles all reads at that place to slower code.

/** Returned by a scanning function when the slow path has to read the body. */
export const UNSCANNABLE = -1

export const QUOTE = 0x22
export const COMMA = 0x2c
const COLON = 0x3a
export const LEFT_BRACE = 0x7b
export const RIGHT_BRACE = 0x7d
export const LEFT_BRACKET = 0x5b
export const RIGHT_BRACKET = 0x5d
const BACKSLASH = 0x5c
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const NULL = Buffer.from('null')

/** Skips any JSON white space at `start`. */
export function skipSpace(bytes: Buffer, start: number): number {
  return bytes[start] > 0x20 ? start : skipSomeSpace(bytes, start)
}

function skipSomeSpace(bytes: Buffer, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at++
  return at
}

/** True for the four bytes of JSON white space. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Skips the colon that follows a key, and the white space around it. */
export function skipColon(bytes: Buffer, start: number): number {
  const at = skipSpace(bytes, start)
  return bytes[at] === COLON ? skipSpace(bytes, at + 1) : UNSCANNABLE
}

/** Skips the string whose opening quote is at `start`, if nothing is escaped in it. */
export function skipPlainString(bytes: Buffer, start: number): number {
  const { length } = bytes
  for (let at = start + 1; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1 < length ? at + 1 : UNSCANNABLE
    if (byte < 0x20 || byte === BACKSLASH) return UNSCANNABLE
  }
  return UNSCANNABLE
}

/** Skips the string whose opening quote is at `start`; all bytes if it does not end. */
export function skipAnyString(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at + 1
}

/** Skips `null`, if it is at `start`. */
export function skipNull(bytes: Buffer, start: number): number {
  return skipLiteral(bytes, start, NULL)
}

/** Skips `true`, `false` or `null`, if one is at `start`. */
export function skipAnyLiteral(bytes: Buffer, start: number): number {
  const literal = bytes[start] === TRUE[0] ? TRUE : bytes[start] === FALSE[0] ? FALSE : NULL
  return skipLiteral(bytes, start, literal)
}

function skipLiteral(bytes: Buffer, start: number, literal: Buffer): number {
  for (let index = 0; index < literal.length; index++) {
    if (bytes[start + index] !== literal[index]) return UNSCANNABLE
  }
  return start + literal.length
}

/** The bytes to scan, and the same memory as words. The last byte is a closing brace, at which scanning ends. */
export type ScanInput = { readonly bytes: Buffer; readonly view: DataView }

/** Prepares bytes that end in a closing brace. */
export function scanInput(bytes: Buffer): ScanInput {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}

/** A text in quotes, of 8 to 24 bytes including them, as doubles: one comparison for each eight bytes. */
type ScanWord = {
  readonly length: number
  /** The first and the last eight bytes, which together cover it, unless it has more than 16. */
  readonly head: number
  readonly tail: number
  /** The eight bytes after the first eight of a longer word. */
  readonly middle: number
}

/** Returns the word that matches `text` in quotes. Throws RangeError unless `text` has 6 to 22 bytes. */
function scanWord(text: string): ScanWord {
  const quoted = Buffer.from(`"${text}"`)
  if (quoted.length < 8 || quoted.length > 24) throw new RangeError(`Not a word of 6 to 22 bytes: ${text}`)
  return {
    length: quoted.length,
    head: quoted.readDoubleLE(0),
    tail: quoted.readDoubleLE(quoted.length - 8),
    middle: quoted.length > 16 ? quoted.readDoubleLE(8) : 0,
  }
}

/** True when the word is at `at`. */
export function isWordAt({ bytes, view }: ScanInput, at: number, { length, head, tail, middle }: ScanWord): boolean {
  if (at + length > bytes.length) return false
  if (view.getFloat64(at, true) !== head || view.getFloat64(at + length - 8, true) !== tail) return false
  return length <= 16 || view.getFloat64(at + 8, true) === middle
}

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
