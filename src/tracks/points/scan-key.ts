import { NUMBER_RULES } from './check-point.ts'
import { NUMBER_COLUMNS } from './point-columns.ts'

/** The fields of a point in the order of their numbers here: the number columns first. */
export const FIELD_KEYS = [...NUMBER_COLUMNS.map((column) => NUMBER_RULES[column].key), 'timestamp', 'origin']

export const TIMESTAMP_FIELD = FIELD_KEYS.indexOf('timestamp')

/** The fields that every point has, as bits at the places of their numbers. */
export const REQUIRED_FIELDS = NUMBER_COLUMNS.reduce(
  (bits, column, field) => (NUMBER_RULES[column].isRequired ? bits | (1 << field) : bits),
  1 << TIMESTAMP_FIELD,
)

/** What `fieldAt` gives for a key that is no field of a point. */
export const UNKNOWN_FIELD = -1

/** More than the longest key with its closing quote; a point that ends sooner has no known key there. */
const LOOK_AHEAD = 10

/** Four characters as the 32-bit number that a DataView reads from their bytes: one comparison instead of four. */
function word(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0)
}

/** The offset after a field's closing quote, counted from the first character of its key. */
export const KEY_LENGTHS = Uint8Array.from(FIELD_KEYS, (key) => key.length + 1)

/** Three words that cover a key and its closing quote, overlapping where it is shorter than 12 bytes. */
const HEADS = Int32Array.from(FIELD_KEYS, (key) => word(key))
const MIDDLE_OFFSETS = KEY_LENGTHS.map((length) => Math.min(4, length - 4))
const MIDDLES = Int32Array.from(FIELD_KEYS, (key, field) => word(`${key}"`.slice(MIDDLE_OFFSETS[field])))
const TAILS = Int32Array.from(FIELD_KEYS, (key) => word(`${key}"`.slice(-4)))

/**
 * The number of the field whose key, without its opening quote, is at `at`; UNKNOWN_FIELD for every other key.
 * `guess` is the number of the field that is most likely there.
 */
export function fieldAt(view: DataView, at: number, guess: number): number {
  if (at + LOOK_AHEAD > view.byteLength) return UNKNOWN_FIELD
  const head = view.getInt32(at, true)
  const field = head === HEADS[guess] ? guess : HEADS.indexOf(head)
  return field !== UNKNOWN_FIELD && isRest(view, at, field) ? field : UNKNOWN_FIELD
}

function isRest(view: DataView, at: number, field: number): boolean {
  return (
    view.getInt32(at + MIDDLE_OFFSETS[field], true) === MIDDLES[field] &&
    view.getInt32(at + KEY_LENGTHS[field] - 4, true) === TAILS[field]
  )
}
