const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const LEFT_BRACE = 0x7b
const RIGHT_BRACE = 0x7d
const LEFT_BRACKET = 0x5b
const RIGHT_BRACKET = 0x5d
const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal))
const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'))
const HEX_DIGITS = new Set(Buffer.from('0123456789abcdefABCDEF'))

/**
 * Returns the offset of the first byte at which text is not valid JSON (RFC 8259), the length of `bytes` if the text
 * ends too early, or undefined if it is valid. `JSON.parse` does not always report the position, and quotes the text
 * when it does. The function is recursive, so the text must not be deeply nested.
 */
export function findJsonFault(bytes: Uint8Array): number | undefined {
  const at = skipSpace(bytes, afterValue(bytes, skipSpace(bytes, 0)))
  if (isFault(at)) return ~at
  return at === bytes.length ? undefined : at
}

// Each function below takes an offset and returns the offset after the part it read, or ~x (negative) for a fault at x.

function isFault(at: number): boolean {
  return at < 0
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

function afterValue(bytes: Uint8Array, start: number): number {
  const byte = bytes[start]
  if (byte === QUOTE) return afterString(bytes, start)
  if (byte === LEFT_BRACE) return afterContainer(bytes, start, RIGHT_BRACE, afterMember)
  if (byte === LEFT_BRACKET) return afterContainer(bytes, start, RIGHT_BRACKET, afterValue)
  const literal = LITERALS.find((candidate) => candidate[0] === byte)
  return literal === undefined ? afterNumber(bytes, start) : afterLiteral(bytes, start, literal)
}

function afterContainer(bytes: Uint8Array, start: number, closing: number, afterItem: typeof afterValue): number {
  let at = skipSpace(bytes, start + 1)
  if (bytes[at] === closing) return at + 1
  while (true) {
    const end = afterItem(bytes, at)
    if (isFault(end)) return end
    at = skipSpace(bytes, end)
    if (bytes[at] === closing) return at + 1
    if (bytes[at] !== COMMA) return ~at
    at = skipSpace(bytes, at + 1)
  }
}

function afterMember(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) return ~start
  const keyEnd = afterString(bytes, start)
  if (isFault(keyEnd)) return keyEnd
  const colon = skipSpace(bytes, keyEnd)
  return bytes[colon] === COLON ? afterValue(bytes, skipSpace(bytes, colon + 1)) : ~colon
}

function afterString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length) {
    if (bytes[at] === QUOTE) return at + 1
    if (bytes[at] < 0x20) return ~at
    at = bytes[at] === BACKSLASH ? afterEscape(bytes, at) : at + 1
    if (isFault(at)) return at
  }
  return ~bytes.length
}

function afterEscape(bytes: Uint8Array, backslash: number): number {
  const letter = backslash + 1
  if (letter >= bytes.length) return ~letter
  if (SIMPLE_ESCAPES.has(bytes[letter])) return letter + 1
  if (bytes[letter] !== 0x75) return ~letter
  for (let at = letter + 1; at <= letter + 4; at++) {
    if (!HEX_DIGITS.has(bytes[at])) return ~at
  }
  return letter + 5
}

function afterLiteral(bytes: Uint8Array, start: number, literal: Uint8Array): number {
  const wrong = literal.findIndex((byte, index) => bytes[start + index] !== byte)
  return wrong === -1 ? start + literal.length : ~(start + wrong)
}

function afterNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start
  at = bytes[at] === 0x30 ? at + 1 : afterDigits(bytes, at)
  if (!isFault(at) && bytes[at] === 0x2e) at = afterDigits(bytes, at + 1)
  if (isFault(at) || (bytes[at] | 0x20) !== 0x65) return at
  const sign = bytes[at + 1]
  return afterDigits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1)
}

/** Skips one or more digits. */
function afterDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] >= 0x30 && bytes[at] <= 0x39) at++
  return at > start ? at : ~at
}
