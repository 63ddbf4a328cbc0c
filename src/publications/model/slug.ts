import { asciiSpelling } from '#platform/basics/ascii-spelling.ts'

/** Limit that includes the number: such a slug fits into an address, a file name and a line. */
export const MAX_SLUG_LENGTH = 80

/**
 * Slug of a title without readable characters: only marks, or signs without a name. It also precedes the digits of a
 * title whose words are left out: an address like `/p/7` would say nothing.
 */
const NAMELESS = 'document'

/** Names that addresses of the API need in place of a slug: `/publications/webhooks`. */
const RESERVED = ['upload-url', 'webhooks']

/** The sign before a number, as in `n°42`: a superscript o, which is often typed as a degree sign. */
const NUMBER_SIGN = /(?<![\p{L}\p{N}])n[°º]\s?(?=\d)/giu

/** Letters by which a title is Japanese. */
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
/**
 * The tables read Chinese characters as Chinese. In a Japanese title that is wrong, so they are left out, with the
 * particles and endings that are written in hiragana beside them.
 */
const HAN_AND_PARTICLES = /\p{Script=Hiragana}*[\p{Script=Han}々]+\p{Script=Hiragana}*/gu

/** Tells whether the API needs a name for an address of its own. No publication gets it as its slug. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.includes(slug)
}

/** Refuses a slug that the API needs for an address of its own. */
export function slugProblem(slug: string): string | undefined {
  return isReservedSlug(slug) ? `must not be ${slug}, which is an address of the API` : undefined
}

/** Tells whether a text can be a slug. Other text is not worth a query, and PostgreSQL refuses some of it. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && /^[a-z0-9-]+$/.test(text)
}

/**
 * Returns the slug of a title: ASCII in lower case, words joined by `-`, at most `MAX_SLUG_LENGTH` characters. Other
 * scripts are transliterated by the tables of AnyAscii. Titles that look the same give the same slug, even if different
 * code points compose them.
 */
export function slugOf(title: string): string {
  const composed = title.normalize('NFC')
  const spelt = KANA.test(composed) ? composed.replace(HAN_AND_PARTICLES, ' ') : composed
  const ascii = spelt.replace(NUMBER_SIGN, 'no ').replace(/\P{ASCII}/gu, transliterate)
  const words = ascii
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  const named = spelt === composed || /[a-z]/.test(words) ? words : `${NAMELESS}-${words}`
  return cut(named, MAX_SLUG_LENGTH) || NAMELESS
}

/**
 * Returns the slug of the n-th publication with the same title: unchanged for the first, ending in `-2` for the second.
 */
export function numberedSlug(slug: string, number: number): string {
  if (number === 1) return slug
  const suffix = `-${number}`
  return cut(slug, MAX_SLUG_LENGTH - suffix.length) + suffix
}

/**
 * Returns the first free number, from 1 on: doubling finds a free one and bisection the first, so that the ten
 * thousandth document with a title costs about 30 look-ups. If there are gaps, the result is one of them.
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
 * Transliterates a character. Signs that a transliteration uses for sounds, such as the ayn, are left out, so that they
 * do not split words. Chinese characters are syllables, each a word of its own.
 */
function transliterate(character: string): string {
  const ascii = asciiSpelling(character)
  if (/\p{Script=Han}/u.test(character)) return ` ${ascii} `
  return /[\p{L}\p{M}]/u.test(character) ? ascii.replace(/[^A-Za-z0-9 ]/g, '') : ascii
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '')
}
