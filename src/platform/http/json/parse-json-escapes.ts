const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Offset of an escape for a character that is valid in JSON but that databases and other programs reject. */
type UnusableEscape = { offset: number; reason: 'surrogate' | 'nul' }

/**
 * Finds the first escape in valid JSON text that stands for half a surrogate pair or for U+0000.
 * The bytes are valid UTF-8 and control characters must be escaped, so neither can occur in any other form.
 * Searches the text instead of the parsed value, which lacks the values that a repeated key replaced.
 */
export function findUnusableEscape(json: Buffer): UnusableEscape | undefined {
  if (!mayHaveOne(json)) return undefined
  // A native search for each backslash would take ten times as long in text that consists of escapes.
  for (let at = json.indexOf(BACKSLASH); at < json.length; ) {
    if (json[at] !== BACKSLASH) {
      at++
      continue
    }
    const end = json[at + 1] === LETTER_U ? afterUnicodeEscape(json, at) : at + 2
    if (end === -1) return { offset: at, reason: codeUnitAt(json, at) === 0 ? 'nul' : 'surrogate' }
    at = end
  }
  return undefined
}

/** Rules out most bodies, which have no such escape, by a native search. */
function mayHaveOne(json: Buffer): boolean {
  return json.includes('\\ud') || json.includes('\\uD') || json.includes('\\u0000')
}

/** Returns the offset after the escape at `at`, or after the pair of escapes of one character; -1 if it is unusable. */
function afterUnicodeEscape(json: Buffer, at: number): number {
  const unit = codeUnitAt(json, at)
  if (unit === 0 || isLowSurrogate(unit)) return -1
  if (!isHighSurrogate(unit)) return at + 6
  const isPair = json[at + 6] === BACKSLASH && json[at + 7] === LETTER_U && isLowSurrogate(codeUnitAt(json, at + 6))
  return isPair ? at + 12 : -1
}

function codeUnitAt(json: Buffer, backslash: number): number {
  let unit = 0
  for (let at = backslash + 2; at < backslash + 6; at++) unit = unit * 16 + hexDigit(json[at])
  return unit
}

function hexDigit(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
