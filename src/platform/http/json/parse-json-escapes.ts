const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** A character that JSON can spell and a database or another program cannot take, and the offset of its escape. */
export type UnusableEscape = { offset: number; reason: 'surrogate' | 'nul' }

/**
 * The first escape in valid JSON text that stands for half a surrogate pair or for U+0000, or undefined.
 * As the bytes are valid UTF-8, and control characters must be escaped, neither can be there in any other spelling.
 * It reads the text and not the parsed value, which no longer has what a repeated key replaced.
 */
export function findUnusableEscape(json: Buffer): UnusableEscape | undefined {
  if (!mayHaveOne(json)) return undefined
  let at = json.indexOf(BACKSLASH)
  while (at !== -1) {
    const end = json[at + 1] === LETTER_U ? afterUnicodeEscape(json, at) : at + 2
    if (end === -1) return { offset: at, reason: codeUnitAt(json, at) === 0 ? 'nul' : 'surrogate' }
    at = json.indexOf(BACKSLASH, end)
  }
  return undefined
}

/** Most bodies have no such escape at all, which a native search finds out at once. */
function mayHaveOne(json: Buffer): boolean {
  return json.includes('\\ud') || json.includes('\\uD') || json.includes('\\u0000')
}

/** The offset after the escape at `at`, or after the pair of escapes that make up one character; -1 for an unusable one. */
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
