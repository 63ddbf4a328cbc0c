import anyAscii from 'any-ascii'

/** With its number: what fits into an address, a file name and a line. */
export const MAX_SLUG_LENGTH = 80

/** What a slug that is chosen must look like, beside its length. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** Of a title in which nothing can be read: only marks, or signs without a name. */
const NAMELESS = 'document'

/**
 * The slug that a title asks for: in ASCII and lower case, its words joined by `-`, at most `MAX_SLUG_LENGTH` characters.
 * Other scripts are transliterated by the tables of AnyAscii. What looks the same gives the same slug, however it is
 * composed.
 */
export function slugOf(title: string): string {
  const ascii = title.normalize('NFC').replace(/\P{ASCII}/gu, transliterate)
  const words = ascii.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return cut(words.replace(/^-/, ''), MAX_SLUG_LENGTH) || NAMELESS
}

/** The slug for the n-th publication that asks for the same: the first has it as it is, the second ends in `-2`. */
export function numberedSlug(slug: string, number: number): string {
  if (number === 1) return slug
  const suffix = `-${number}`
  return cut(slug, MAX_SLUG_LENGTH - suffix.length) + suffix
}

/**
 * The first number that is free, where numbers are taken from 1 on: doubling finds a free one and halving the first, so
 * that the ten thousandth document of a title costs some 30 look-ups. Where there are gaps, it is one of those.
 */
export async function firstFreeNumber(isTaken: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 0
  let free = 1
  while (await isTaken(free)) {
    taken = free
    free *= 2
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return free
}

/**
 * Signs that a transliteration has for the sounds of letters, such as the ayn, are left out, so that they do not take
 * words apart. Chinese characters are syllables, each with a reading of its own.
 */
function transliterate(character: string): string {
  const ascii = anyAscii(character)
  if (/\p{Script=Han}/u.test(character)) return ` ${ascii} `
  return /[\p{L}\p{M}]/u.test(character) ? ascii.replace(/[^A-Za-z0-9 ]/g, '') : ascii
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '')
}
