import { invalidFields } from '#platform/errors.ts'

export const MAX_TITLE_LENGTH = 500

/**
 * A title as it is kept: without white space around it.
 * @throws badRequest for one of no characters (code points), or of too many
 */
export function readTitle(text: string): string {
  const title = text.trim()
  // Code points take two units at most, so that nothing very long is taken apart.
  const isShort = title.length <= 2 * MAX_TITLE_LENGTH && [...title].length <= MAX_TITLE_LENGTH
  if (title !== '' && isShort) return title
  throw invalidFields([
    { path: 'title', message: `must have 1 to ${MAX_TITLE_LENGTH} characters, white space around it not counted` },
  ])
}
