/** How deep arrays and objects may lie in each other; no request needs more than 4. */
export const MAX_JSON_DEPTH = 64

/** How many values a body may hold; the largest request of all, 50,000 points with every field, has half a million. */
export const MAX_JSON_VALUES = 2_000_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

/**
 * Says whether the JSON text in `bytes` is nested too deeply (`'depth'`) or holds too many values (`'values'`).
 * It looks at brackets and commas outside strings only and takes no memory, so that a body made to exhaust memory or
 * stack is refused before `JSON.parse` sees it. What it says of malformed text does not matter as long as it ends.
 */
export function exceededJsonLimit(bytes: Uint8Array): 'depth' | 'values' | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COMMA) values++
    else if (isOpening(byte)) {
      if (++depth > MAX_JSON_DEPTH) return 'depth'
    } else if (isClosing(byte)) {
      depth--
      // A container's first value has no comma before it.
      if (!isEmptyUntil(bytes, at)) values++
    }
    if (values > MAX_JSON_VALUES) return 'values'
  }
  return undefined
}

/** Where the string that begins at `start` has its closing quote, or the length of `bytes`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** `[` and `{` differ in one bit, and so do `]` and `}`. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b
}

function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d
}

/** Whether nothing but white space stands between the bracket at `closing` and the one that opened. */
function isEmptyUntil(bytes: Uint8Array, closing: number): boolean {
  let at = closing - 1
  while (at >= 0 && bytes[at] <= 0x20) at--
  return at >= 0 && isOpening(bytes[at])
}
