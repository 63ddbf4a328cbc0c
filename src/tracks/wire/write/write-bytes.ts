/** Bytes to write into, and the same memory as words. */
export type Output = { readonly bytes: Buffer; readonly view: DataView }

/** A text of 8 to 16 ASCII characters as two doubles of eight bytes each, which overlap in the shorter ones. */
type OutputText = { readonly length: number; readonly head: number; readonly tail: number }

/** Prepares a text for `copyText`. Throws RangeError unless it has 8 to 16 characters. */
export function outputText(text: string): OutputText {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.length < 8 || bytes.length > 16) throw new RangeError(`Not a text of 8 to 16 characters: ${text}`)
  return { length: bytes.length, head: bytes.readDoubleLE(0), tail: bytes.readDoubleLE(bytes.length - 8) }
}

/** Writes the text at `at` and returns the offset after it: two stores instead of one per character. */
export function copyText({ view }: Output, at: number, { length, head, tail }: OutputText): number {
  view.setFloat64(at, head, true)
  view.setFloat64(at + length - 8, tail, true)
  return at + length
}

const ZERO = 0x30

/**
 * Fills the bytes from `start` to `end` with the last digits of an integer below 2^31; fastest for a small integer of
 * V8.
 */
export function writeDigits(bytes: Buffer, start: number, end: number, value: number): void {
  let rest = value
  for (let at = end - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0
    bytes[at] = ZERO + rest - tenth * 10
    rest = tenth
  }
}
