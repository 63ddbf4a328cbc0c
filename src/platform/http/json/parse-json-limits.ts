/** Maximum nesting of arrays and objects. No request needs more than 4. */
export const MAX_JSON_DEPTH = 64

/**
 * Maximum number of values in a body without points. Time and memory depend on it more than on the bytes: half a
 * million small objects fit into 1 MiB. The largest request, the 5,000 pages of a reading report, needs a tenth of it.
 */
export const MAX_JSON_VALUES = 50_000

/** Bounds of what is parsed. */
export type JsonLimits = {
  maxValues: number
  /** Most members of objects, which take several times the memory of other values. */
  maxMembers: number
  /** Most escapes in strings and keys, of which each takes 50 times as long as another byte. */
  maxEscapes: number
}

/**
 * Limits of requests with a few fields, from anybody who has a token or a key: parsing a megabyte takes some
 * milliseconds, whatever is in it, and not 40.
 */
export const FEW_FIELDS: JsonLimits = { maxValues: 5_000, maxMembers: 5_000, maxEscapes: 20_000 }

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

/**
 * Checks whether the JSON text in `bytes` is nested too deeply (`'depth'`), or holds more than it may. Reads only
 * brackets, commas and colons outside strings and backslashes in them, and allocates no memory, so a body made to
 * exhaust memory, stack or time is refused before `JSON.parse` sees it. For malformed text, any result is correct.
 */
export function exceededJsonLimit(
  bytes: Uint8Array,
  { maxValues, maxMembers, maxEscapes }: JsonLimits,
): 'depth' | 'values' | 'members' | 'escapes' | undefined {
  let depth = 0
  let values = 1
  let members = 0
  let escapes = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] !== BACKSLASH) continue
        at++
        if (++escapes > maxEscapes) return 'escapes'
      }
    } else if (byte === COMMA) values++
    else if (byte === COLON) members++
    else if (isOpening(byte)) {
      if (++depth > MAX_JSON_DEPTH) return 'depth'
    } else if (isClosing(byte)) {
      depth--
      // A container's first value has no comma before it.
      if (!isEmptyUntil(bytes, at)) values++
    }
    if (values > maxValues) return 'values'
    if (members > maxMembers) return 'members'
  }
  return undefined
}

/** Tests for `[` and `{`, which differ in one bit. So do `]` and `}`. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b
}

function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d
}

/** Tells whether only white space separates the bracket at `closing` from its opening one. */
function isEmptyUntil(bytes: Uint8Array, closing: number): boolean {
  let at = closing - 1
  while (at >= 0 && bytes[at] <= 0x20) at--
  return at >= 0 && isOpening(bytes[at])
}
