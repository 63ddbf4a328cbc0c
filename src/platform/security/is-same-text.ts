import { timingSafeEqual } from 'node:crypto'

/**
 * Compares a text of a stranger with a secret one, in a time that does not tell where they differ. Compares bytes:
 * texts of as many letters may have more of them, which `timingSafeEqual` refuses with an exception.
 */
export function isSameText(given: string, expected: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(given)]
  return theirs.length === ours.length && timingSafeEqual(theirs, ours)
}
