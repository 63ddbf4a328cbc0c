import type { ScanInput } from './scan-input.ts'

/** A text in quotes, of 8 to 16 bytes including them, as two doubles: one comparison for each eight bytes. */
export type ScanWord = {
  readonly length: number
  /** The first and the last eight bytes, which together cover it. */
  readonly head: number
  readonly tail: number
}

/** Returns the word that matches `text` in quotes. Throws RangeError unless `text` has 6 to 14 bytes. */
export function scanWord(text: string): ScanWord {
  const quoted = Buffer.from(`"${text}"`)
  if (quoted.length < 8 || quoted.length > 16) throw new RangeError(`Not a word of 6 to 14 bytes: ${text}`)
  return {
    length: quoted.length,
    head: quoted.readDoubleLE(0),
    tail: quoted.readDoubleLE(quoted.length - 8),
  }
}

/** True when the word is at `at`. */
export function isWordAt({ bytes, view }: ScanInput, at: number, { length, head, tail }: ScanWord): boolean {
  if (at + length > bytes.length) return false
  return view.getFloat64(at, true) === head && view.getFloat64(at + length - 8, true) === tail
}
