/** Marks that turn the direction of what follows, and may be left open. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Text that cannot turn around what stands beside it, where there are no elements to isolate it with: between the marks
 * for that, FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex 9, 2.4).
 */
export function isolated(text: string): string {
  return DIRECTION_MARKS.test(text) ? `\u2068${text}\u2069` : text
}
