import { scanNumber } from './scan-number.ts'
import { GIVE_UP, QUOTE, skipAnyLiteral, skipColon, skipPlainString } from './scan-text.ts'

const unused = new Float64Array(1)

/** Skips the key whose opening quote is at `start` and its value, if that is a string, a number or a literal. */
export function skipPlainMember(bytes: Buffer, start: number): number {
  const keyEnd = bytes[start] === QUOTE ? skipPlainString(bytes, start) : GIVE_UP
  const at = keyEnd === GIVE_UP ? GIVE_UP : skipColon(bytes, keyEnd)
  return at === GIVE_UP ? GIVE_UP : skipPlainScalar(bytes, at)
}

function skipPlainScalar(bytes: Buffer, start: number): number {
  if (bytes[start] === QUOTE) return skipPlainString(bytes, start)
  const isLetter = bytes[start] >= 0x61
  return isLetter ? skipAnyLiteral(bytes, start) : scanNumber(bytes, start, unused, 0)
}
