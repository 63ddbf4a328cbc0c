// The scanner's functions take an offset and give the one after what they read, or GIVE_UP for whatever is not the
// ordinary spelling. The last of the bytes is a closing brace, at which everything but a string stops by itself: a read
// past the end would do no harm, but once one has happened, V8 compiles all reads of that place to slower code.

/** What a scanning function gives when the slow path has to look at the body. */
export const GIVE_UP = -1

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const LEFT_BRACE = 0x7b
export const RIGHT_BRACE = 0x7d
export const LEFT_BRACKET = 0x5b
export const RIGHT_BRACKET = 0x5d
const BACKSLASH = 0x5c
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const NULL = Buffer.from('null')

/** After any JSON white space at `start`. */
export function skipSpace(bytes: Buffer, start: number): number {
  return bytes[start] > 0x20 ? start : skipSomeSpace(bytes, start)
}

function skipSomeSpace(bytes: Buffer, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at++
  return at
}

/** Whether the byte is one of the four that JSON has as white space. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** After the colon that follows a key, and the white space around it. */
export function skipColon(bytes: Buffer, start: number): number {
  const at = skipSpace(bytes, start)
  return bytes[at] === COLON ? skipSpace(bytes, at + 1) : GIVE_UP
}

/** After the string whose opening quote is at `start`, if nothing is escaped in it. */
export function skipPlainString(bytes: Buffer, start: number): number {
  const { length } = bytes
  for (let at = start + 1; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1 < length ? at + 1 : GIVE_UP
    if (byte < 0x20 || byte === BACKSLASH) return GIVE_UP
  }
  return GIVE_UP
}

/** After the string whose opening quote is at `start`, whatever is in it, or after all bytes if it does not end. */
export function skipAnyString(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at + 1
}

/** After `null`, if it is at `start`. */
export function skipNull(bytes: Buffer, start: number): number {
  return skipLiteral(bytes, start, NULL)
}

/** After `true`, `false` or `null`, if one is at `start`. */
export function skipAnyLiteral(bytes: Buffer, start: number): number {
  const literal = bytes[start] === TRUE[0] ? TRUE : bytes[start] === FALSE[0] ? FALSE : NULL
  return skipLiteral(bytes, start, literal)
}

function skipLiteral(bytes: Buffer, start: number, literal: Buffer): number {
  for (let index = 0; index < literal.length; index++) {
    if (bytes[start + index] !== literal[index]) return GIVE_UP
  }
  return start + literal.length
}
