export const MAX_TITLE_LENGTH = 500

/** Returns a title as it is stored, without surrounding white space. */
export function parseTitle(text: string): string {
  return text.trim()
}

/** Describes what a title must be; undefined for a valid one. Characters are code points. */
export function titleProblem(text: string): string | undefined {
  const title = parseTitle(text)
  // A code point takes at most two units, so that very long text is not split.
  const isShort = title.length <= 2 * MAX_TITLE_LENGTH && [...title].length <= MAX_TITLE_LENGTH
  if (title !== '' && isShort) return undefined
  return `must have 1 to ${MAX_TITLE_LENGTH} characters, not counting surrounding white space`
}
