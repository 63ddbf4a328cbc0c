/**
 * Tells whether somebody typed a name, in the characters of a keyboard: straight quotes, hyphens and dots stand for
 * typographic ones, and every space is like any other, and case does not matter.
 */
export function isSameName(typed: string, name: string): boolean {
  return asTyped(typed) === asTyped(name)
}

const ON_KEYBOARD: readonly [RegExp, string][] = [
  [/[‘’‚‛ʼ′´`]/g, "'"],
  [/[“”„‟«»″]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '...'],
  // Zero-width characters cannot be seen, and soft hyphens only sometimes.
  [/[\u00ad\u200b-\u200f\u2060\ufeff]/g, ''],
  // People type “ name ” and « name » with and without spaces inside the quotes.
  [/"\s+(?=\S)/g, '"'],
  [/\s+"/g, '"'],
  [/\s+/g, ' '],
]

function asTyped(text: string): string {
  return ON_KEYBOARD.reduce((typed, [from, to]) => typed.replace(from, to), text.normalize('NFC'))
    .trim()
    .toLowerCase()
}
