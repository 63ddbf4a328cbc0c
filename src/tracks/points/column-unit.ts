/** What the values of a column are whole multiples of: each value is exactly `integer * multiplier / divisor`. */
export type ColumnUnit = { readonly multiplier: number; readonly divisor: number }

const MAX_DECIMALS = 12

/**
 * The units tried, in their stored order; stored chunks depend on it. A whole number divided by a power of ten that a
 * double holds exactly gives the very double that the decimal text stands for, because IEEE 754 division rounds
 * correctly; so decimals come back to the last bit. Semicircles, 180/2^31 degrees, are the unit of FIT files: their
 * positions have 17 digits in text and 32 bits in truth.
 */
export const COLUMN_UNITS: readonly ColumnUnit[] = [
  { multiplier: 1000, divisor: 1 },
  ...Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => ({ multiplier: 1, divisor: 10 ** decimals })),
  { multiplier: 180, divisor: 2 ** 31 },
]

/** Index into COLUMN_UNITS of 1000, which only times are likely to be multiples of. */
export const UNIT_THOUSAND = 0
/** Index into COLUMN_UNITS of 1, where other columns start. */
export const UNIT_ONE = 1
/** In place of an index: the values are multiples of nothing and are coded as the bits of their doubles. */
export const UNIT_RAW = COLUMN_UNITS.length

/** Doubles hold every whole number up to here, so the way there and back is exact. */
const MAX_INTEGER = 2 ** 53

/**
 * Finds the first unit from `firstUnit` on in which each of the first `count` values is a whole number, and puts those
 * into `integers`.
 *
 * @returns its index, or UNIT_RAW when there is none (then `integers` is undefined)
 */
export function findUnit(values: Float64Array, count: number, integers: Float64Array, firstUnit: number): number {
  let unit = firstUnit
  while (unit < UNIT_RAW && !convert(values, count, integers, COLUMN_UNITS[unit])) unit++
  return unit
}

function convert(values: Float64Array, count: number, integers: Float64Array, unit: ColumnUnit): boolean {
  const { multiplier, divisor } = unit
  const factor = divisor / multiplier
  for (let i = 0; i < count; i++) {
    const value = values[i]
    const integer = Math.round(value * factor)
    if ((integer * multiplier) / divisor !== value) return false
    if (integer > MAX_INTEGER || integer < -MAX_INTEGER) return false
    // An integer has no negative zero.
    if (integer === 0 && Object.is(value, -0)) return false
    integers[i] = integer
  }
  return true
}
