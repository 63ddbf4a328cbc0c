/** A unit of which the values of a column are whole multiples; `toValue` defines the relation. */
type ColumnUnit = {
  readonly multiplier: number
  readonly divisor: number
  /** The values were rounded to 32-bit floats. */
  readonly single: boolean
}

/** More are rarely sent, and take as many bits as the double itself. */
const MAX_DECIMALS = 11
/** A 32-bit float holds at most seven digits. */
const MAX_SINGLE_DECIMALS = 6

/**
 * The units tried, in their stored order; stored chunks depend on it, so append only. Semicircles, 180/2^31 degrees,
 * are the unit of FIT files: their positions have 17 digits in text but hold 32 bits. Phones report accuracy,
 * speed and battery as 32-bit floats, so that 4.972 is sent as 4.9720001220703125.
 */
export const COLUMN_UNITS: readonly ColumnUnit[] = [
  { multiplier: 1000, divisor: 1, single: false },
  ...decimals(0, MAX_DECIMALS, false),
  { multiplier: 180, divisor: 2 ** 31, single: false },
  ...decimals(1, MAX_SINGLE_DECIMALS, true),
]

/** Index into COLUMN_UNITS of 1000, which only times are likely to be multiples of. */
export const UNIT_THOUSAND = 0
/** Index into COLUMN_UNITS of 1, where other columns start. */
export const UNIT_ONE = 1
/** In place of an index: the values are multiples of no unit and are coded as the bits of their doubles. */
export const UNIT_RAW = COLUMN_UNITS.length

/** Doubles hold every whole number up to here, so converting back and forth is exact. */
const MAX_INTEGER = 2 ** 53

/**
 * Finds the first unit from `firstUnit` on in which each of the first `count` values is a whole number, and writes
 * those numbers into `integers`.
 *
 * @returns its index, or UNIT_RAW when there is none (then `integers` is undefined)
 */
export function findUnit(values: Float64Array, count: number, integers: Float64Array, firstUnit: number): number {
  let unit = firstUnit
  while (unit < UNIT_RAW && !convert(values, count, integers, COLUMN_UNITS[unit])) unit++
  return unit
}

/**
 * Returns the value of a number of units. Dividing a whole number by a power of ten that a double holds exactly gives
 * the same double as the decimal text, because IEEE 754 division rounds correctly.
 */
export function toValue(integer: number, { multiplier, divisor, single }: ColumnUnit): number {
  const value = (integer * multiplier) / divisor
  return single ? Math.fround(value) : value
}

function decimals(from: number, to: number, single: boolean): ColumnUnit[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({ multiplier: 1, divisor: 10 ** (from + i), single }))
}

function convert(values: Float64Array, count: number, integers: Float64Array, unit: ColumnUnit): boolean {
  const factor = unit.divisor / unit.multiplier
  for (let i = 0; i < count; i++) {
    const value = values[i]
    const integer = Math.round(value * factor)
    if (toValue(integer, unit) !== value) return false
    if (integer > MAX_INTEGER || integer < -MAX_INTEGER) return false
    // An integer has no negative zero.
    if (integer === 0 && Object.is(value, -0)) return false
    integers[i] = integer
  }
  return true
}
