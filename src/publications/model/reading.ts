import { downloadNotAllowed, publicationNotFound, publicationUnpublished } from '../errors.ts'

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
  /** Null while it is published; for a draft, the time of its creation. */
  unpublished_at: number | null
  /** Time at which it was first published; null for a draft, and for what an earlier version created. */
  published_at: number | null
  /** 0 if readers do not get the PDF; null or 1 if they do. */
  allow_download?: number | null
}

/** Returns whether a publication was never published. */
export function isDraft({
  unpublished_at,
  published_at,
}: Pick<ReadingRules, 'unpublished_at' | 'published_at'>): boolean {
  return unpublished_at !== null && published_at === null
}

/**
 * Decides what readers get of a publication: the publication, the answer to an unknown slug, or that it is unpublished.
 * Every route that serves anything of it asks here, whenever it is read.
 */
function readingOf(rules: ReadingRules, { linkId, isPreview }: Opened = {}): 'open' | 'unknown' | 'gone' {
  if (isPreview === true) return 'open'
  if (isDraft(rules) || (rules.access === 'restricted' && linkId === undefined)) return 'unknown'
  return rules.unpublished_at === null ? 'open' : 'gone'
}

/** States of a publication: a draft was never published, and `unpublished` is what was withdrawn. */
export const VISIBILITIES = ['draft', 'visible', 'unpublished'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** Returns the state of a publication. */
export function visibilityOf(rules: ReadingRules): Visibility {
  if (isDraft(rules)) return 'draft'
  return rules.unpublished_at === null ? 'visible' : 'unpublished'
}

/** The reader link by which a request reads a publication that is not for everyone; empty without one. */
export type Opened = { linkId?: string; isPreview?: boolean }

/** A reader link as it opens a publication. */
type Grant = { publicationId: string; linkId: string; isPreview: boolean }

/** Refuses what a request may not read now. @throws publicationNotFound, publicationUnpublished */
export function requireReadable(id: string | undefined, rules: ReadingRules | undefined, grant?: Grant): Opened {
  const opened = openedBy(id, rules, grant)
  const reading = rules === undefined ? 'unknown' : readingOf(rules, opened)
  if (reading === 'unknown') throw publicationNotFound()
  if (reading === 'gone') throw publicationUnpublished()
  return opened
}

function openedBy(id: string | undefined, rules: ReadingRules | undefined, grant: Grant | undefined): Opened {
  if (rules === undefined || grant === undefined || grant.publicationId !== id || isForEveryone(rules)) return {}
  return { linkId: grant.linkId, isPreview: grant.isPreview }
}

/** Returns whether readers get the PDF. Images and text stay readable, and can be copied. */
export function allowsDownload({ allow_download }: Pick<ReadingRules, 'allow_download'>): boolean {
  return allow_download !== 0
}

/** Refuses the PDF of a publication whose publisher does not offer it. @throws downloadNotAllowed */
export function requireDownload(rules: ReadingRules): void {
  if (!allowsDownload(rules)) throw downloadNotAllowed()
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
