import { publicationNotFound, publicationUnpublished } from '../errors.ts'

/**
 * Circles of readers: everyone, who finds it through search engines as well; whoever knows the address; and only those
 * whom the publisher lets in.
 */
export const ACCESSES = ['public', 'unlisted', 'restricted'] as const
export type Access = (typeof ACCESSES)[number]

/** The columns of a publication that decide who may read it. */
export type ReadingRules = {
  /** Null for `public`. */
  access: Access | null
  unpublished_at: number | null
}

/**
 * Decides what readers get of a publication: the publication, the answer to an unknown slug, or that it is unpublished.
 * Every route that serves anything of it asks here, whenever it is read.
 */
function readingOf({ access, unpublished_at }: ReadingRules): 'open' | 'unknown' | 'gone' {
  if (access === 'restricted') return 'unknown'
  return unpublished_at === null ? 'open' : 'gone'
}

/** Refuses what nobody may read now. @throws publicationNotFound, publicationUnpublished */
export function requireReadable(rules: ReadingRules | undefined): void {
  const reading = rules === undefined ? 'unknown' : readingOf(rules)
  if (reading === 'unknown') throw publicationNotFound()
  if (reading === 'gone') throw publicationUnpublished()
}

/** Returns whether search engines, sitemaps and caches that serve everyone may have a publication. */
export function isForEveryone(rules: ReadingRules): boolean {
  return (rules.access ?? 'public') === 'public' && readingOf(rules) === 'open'
}

/** Addresses that are issued within this time are the same, so that written pages can be sent again. */
const SAME_WITHIN_MS = 300_000

/**
 * Returns the end of the addresses of images and files that are issued now: 5 to 10 minutes from now, or undefined for
 * those of a publication that is for everyone, which may be kept for good.
 */
export function addressesEnd(rules: ReadingRules, nowMs: number): number | undefined {
  if (isForEveryone(rules)) return undefined
  return (Math.ceil(nowMs / SAME_WITHIN_MS) + 1) * SAME_WITHIN_MS
}

/** Headers of whatever caches must not keep, nor search engines list. */
const PRIVATE = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }

/** Returns the headers by which a publication that is not for everyone stays out of caches and search engines. */
export function privacyHeaders(rules: ReadingRules): Record<string, string> {
  return isForEveryone(rules) ? {} : PRIVATE
}
