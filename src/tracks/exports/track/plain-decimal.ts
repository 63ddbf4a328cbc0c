/**
 * Returns a number in plain decimals, as XML Schema's `decimal` requires: never `1e-7`. Parsing it returns the same
 * number.
 */
export function plainDecimal(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value)
  if (!text.includes('e')) return text
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)!
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
