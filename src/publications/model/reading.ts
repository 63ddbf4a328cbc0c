import { downloadNotAllowed, publicationNotFound, publicationUnpublished } from './errors.ts'

/**
 * Circles of readers: everyone, who finds it through search engines as well; whoever knows the address; and only those
 * whom the publisher lets in.
 */
export const ACCESSES = ['public', 'unlisted', 'restricted'] as const
export type Access = (typeof ACCESSES)[number]

/** The columns of a publication that decide who may read it, and when. */
export type ReadingRules = {
  workspace_id: string
  /** Null for `public`. */
  access: Access | null
  /** Null while it is published; for a draft, the time of its creation. */
  unpublished_at: number | null
  /**
   * Time at which it was first published, or will be; null for a draft, and for a publication of an earlier version.
   */
  published_at: number | null
  /** Readers find nothing before this time; null without a beginning. */
  publish_at?: number | null
  /** Nobody reads it from this time on; null without an end. */
  expires_at?: number | null
  /** Hash of the password that readers are asked for; null without one. */
  password_hash?: string | null
  /** 0 if readers do not get the PDF; null or 1 if they do. */
  allow_download?: number | null
}

/** Returns whether a publication was never published. */
export function isDraft({ unpublished_at, published_at }: ReadingRules): boolean {
  return unpublished_at !== null && published_at === null
}

/** States of a publication: a draft was never published, and `unpublished` is what was withdrawn. */
export const VISIBILITIES = ['draft', 'visible', 'scheduled', 'expired', 'unpublished'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** Returns the state of a publication at a time. */
export function visibilityOf(rules: ReadingRules, nowMs: number): Visibility {
  if (isDraft(rules)) return 'draft'
  if (rules.unpublished_at !== null) return 'unpublished'
  if (isAhead(rules, nowMs)) return 'scheduled'
  return isOver(rules, nowMs) ? 'expired' : 'visible'
}

function isAhead({ publish_at }: ReadingRules, nowMs: number): boolean {
  return publish_at != null && nowMs < publish_at
}

function isOver({ expires_at }: ReadingRules, nowMs: number): boolean {
  return expires_at != null && nowMs >= expires_at
}

/** A reader link as it opens a publication. */
type Grant = {
  publicationId: string
  linkId: string
  isPreview: boolean
  expiresAtMs: number | null
  passwordHash: string | null
  allowDownload: number | null
}

/** The password of a publication or of a reader link, which `subject` identifies. */
export type Lock = { subject: string; hash: string }

/** A request that wants to read: its time, and the reader link that it holds. */
export type Reader = {
  nowMs: number
  /** The workspace whose host name the request is for; undefined on the names of the server. */
  workspaceId?: string | undefined
  grant?: Grant
  /** Refuses a request without the password; absent at a signed address, which only readers with it get. */
  requirePassword?(lock: Lock): Promise<void>
}

/** The decision on how a request reads a publication. */
export type Opened = {
  /** True if everyone reads it: search engines may list it, and shared caches keep its page. */
  isForEveryone: boolean
  /** Time from which nobody reads it; undefined without one. */
  endsAtMs?: number
  /** The reader link, by which addresses end that are issued for it. */
  linkId?: string
  isPreview?: boolean
  /** Choice of a link about the PDF, in place of the publication's. */
  allow_download?: number | null
  /** True if the reader was asked for a password. */
  isLocked?: boolean
}

/**
 * Decides on the answer to a request for a publication: the publication, the answer to an unknown slug, or that it is
 * unpublished. Every route that serves anything of it asks here, whenever it is read.
 * @throws publicationNotFound, publicationUnpublished, readerPasswordRequired, readerPasswordWrong
 */
export async function requireReadable(
  id: string | undefined,
  rules: ReadingRules | undefined,
  reader: Reader,
): Promise<Opened> {
  if (id === undefined || rules === undefined) throw publicationNotFound()
  if (reader.workspaceId !== undefined && rules.workspace_id !== reader.workspaceId) throw publicationNotFound()
  const opened = readingOf(id, rules, reader)
  if (opened.isForEveryone || opened.isPreview) return opened
  const hash = opened.linkId === undefined ? rules.password_hash : reader.grant?.passwordHash
  if (hash == null) return opened
  await reader.requirePassword?.({ subject: opened.linkId ?? id, hash })
  return { ...opened, isLocked: true }
}

function readingOf(id: string, rules: ReadingRules, reader: Reader): Opened {
  const isForEveryone =
    isOpen(rules, reader.nowMs) && (rules.access ?? 'public') === 'public' && rules.password_hash == null
  const end = rules.expires_at == null ? {} : { endsAtMs: rules.expires_at }
  if (isForEveryone) return { isForEveryone, ...end }
  const { grant } = reader
  const link = grant?.publicationId === id ? grant : undefined
  if (link?.isPreview) return { isForEveryone, linkId: link.linkId, isPreview: true }
  if (isDraft(rules) || isAhead(rules, reader.nowMs)) throw publicationNotFound()
  if (rules.access === 'restricted' && link === undefined) throw publicationNotFound()
  if (!isOpen(rules, reader.nowMs)) throw publicationUnpublished()
  if (link === undefined) return { isForEveryone, ...end }
  const download = link.allowDownload === null ? {} : { allow_download: link.allowDownload }
  return { isForEveryone, linkId: link.linkId, isPreview: false, ...download, ...end }
}

function isOpen(rules: ReadingRules, nowMs: number): boolean {
  return visibilityOf(rules, nowMs) === 'visible'
}

/** Returns whether readers get the PDF. Images and text stay readable, and can be copied. */
export function allowsDownload({ allow_download }: ReadingRules): boolean {
  return allow_download !== 0
}

/** Refuses the PDF of a publication whose publisher does not offer it. @throws downloadNotAllowed */
export function requireDownload(rules: ReadingRules): void {
  if (!allowsDownload(rules)) throw downloadNotAllowed()
}

/** Returns whether addresses of images last, so that caches may keep the images for good. */
export function hasLastingAddresses({ isForEveryone, endsAtMs }: Opened): boolean {
  return isForEveryone && endsAtMs === undefined
}

/** Addresses that are issued within this time are the same, so that written pages can be sent again. */
const SAME_WITHIN_MS = 300_000

/**
 * Returns the end of the addresses of images and files that are issued now: 5 to 10 minutes from now, or earlier if
 * reading ends; undefined if they last.
 */
export function addressesEnd(opened: Opened, nowMs: number): number | undefined {
  if (hasLastingAddresses(opened)) return undefined
  return Math.min((Math.ceil(nowMs / SAME_WITHIN_MS) + 1) * SAME_WITHIN_MS, opened.endsAtMs ?? Infinity)
}

/** Returns the headers by which a publication that is not for everyone, for good, stays out of caches and searches. */
export function privacyHeaders(opened: Opened): Record<string, string> {
  if (hasLastingAddresses(opened)) return {}
  const caching = { 'cache-control': 'private, no-store' }
  return opened.isForEveryone ? caching : { ...caching, 'x-robots-tag': 'noindex' }
}
