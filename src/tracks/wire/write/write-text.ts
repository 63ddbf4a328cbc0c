/** Bytes to write into, and the same memory as words. */
export type Output = { readonly bytes: Buffer; readonly view: DataView }

/** A text of 8 to 16 ASCII characters as two doubles of eight bytes each, which overlap in the shorter ones. */
export type OutputText = { readonly length: number; readonly head: number; readonly tail: number }

/** Prepares a text of 8 to 16 ASCII characters, of which no eight bytes are a NaN, for `copyText`. */
export function outputText(text: string): OutputText {
  const bytes = Buffer.from(text, 'latin1')
  return { length: bytes.length, head: bytes.readDoubleLE(0), tail: bytes.readDoubleLE(bytes.length - 8) }
}

/** Writes the text at `at` and gives the offset after it: two stores instead of one for each character. */
export function copyText({ view }: Output, at: number, { length, head, tail }: OutputText): number {
  view.setFloat64(at, head, true)
  view.setFloat64(at + length - 8, tail, true)
  return at + length
}
