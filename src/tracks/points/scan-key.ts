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

const QUOTED_KEYS = FIELD_KEYS.map((key) => Buffer.from(`"${key}"`))

/** Length of each key with its quotes: 8 to 11. */
export const KEY_LENGTHS = Uint8Array.from(QUOTED_KEYS, (key) => key.length)

/** How many bytes `fieldAt` looks at. After every known key there are at least its value and the closing brackets. */
export const KEY_LOOK_AHEAD = Math.max(...KEY_LENGTHS)

/** The first and the last eight bytes of each quoted key, which cover it, as doubles: one comparison for each eight. */
const HEADS = Float64Array.from(QUOTED_KEYS, (key) => key.readDoubleLE(0))
const TAILS = Float64Array.from(QUOTED_KEYS, (key) => key.readDoubleLE(key.length - 8))

/** Stands for the field before a point's first one. */
export const BEFORE_FIRST_FIELD = FIELD_KEYS.length

/** The field that stood after each field the last time; clients write their points' fields in one order. */
const followers = new Uint8Array(FIELD_KEYS.length + 1)

/**
 * The number of the field whose key, with its opening quote, is at `at`; UNKNOWN_FIELD for every other key.
 * `previous` is the number of the field before, from which the next one is guessed.
 */
export function fieldAt(view: DataView, at: number, previous: number): number {
  const guess = followers[previous]
  const head = view.getFloat64(at, true)
  if (head !== HEADS[guess]) return findField(view, at, previous)
  return view.getFloat64(at + KEY_LENGTHS[guess] - 8, true) === TAILS[guess] ? guess : UNKNOWN_FIELD
}

function findField(view: DataView, at: number, previous: number): number {
  const field = HEADS.indexOf(view.getFloat64(at, true))
  if (field === -1 || view.getFloat64(at + KEY_LENGTHS[field] - 8, true) !== TAILS[field]) return UNKNOWN_FIELD
  followers[previous] = field
  return field
}
