/** Characters that change the direction of the text after them, and may be left open. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Isolates text so that it cannot change the direction of the text around it, for places without elements: it is put
 * between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex 9, 2.4).
 */
export function isolated(text: string): string {
  return DIRECTION_MARKS.test(text) ? `\u2068${text}\u2069` : text
}
