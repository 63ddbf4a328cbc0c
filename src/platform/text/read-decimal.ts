/** Longest text that is read as a number. Programs that print 64 bits in full write some 60 digits. */
const MAX_LENGTH = 100

/** Takes linear time: a digit can be read in one way only. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Returns the number that a text writes in decimal, with or without an exponent and spaces around it; undefined for any
 * other text. `Number` would also take an empty one for 0 and `0x2d` for 45.
 */
export function readDecimal(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DECIMAL.test(text.trim())) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}
