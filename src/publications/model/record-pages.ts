import type { Kysely, Transaction } from 'kysely'
import { nextUpdate } from '#platform/basics/time.ts'
import { countRows } from '#platform/database/queries.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { PublicationStatus } from './fields.ts'
import { addImages, imageColumns, parseImageKey, readImages, type StoredImages } from './image-forms.ts'
import { announcePublication } from './publication-json.ts'
import type { PageRow, PublicationsTables } from './tables.ts'
import type { VersionProgress } from './versions.ts'

/** A finished page: rendered with its images stored, or failed without images. */
export type FinishedPage = {
  page: number
  images: StoredImages
  /** True if no further images are to be made without a request. */
  isComplete: boolean
  failed?: { code: string; reason: string }
  text: string
  /** Parts that the paragraphs of the text play (`encodeRoles`); null if the file does not say. */
  roles?: string | null
  words: Uint8Array
  /** JSON of the comments. */
  comments?: string | null
}

/** Further images of a page that has a row. */
export type FurtherImages = { page: number; images: StoredImages; isComplete?: boolean }

/** Rows per statement: their values stay far below the limit of either engine. */
const ROWS_PER_INSERT = 500

/**
 * Writes finished pages of a version, and updates its progress and status. A page that already has a row keeps it.
 * Returns undefined if the version or its publication is deleted: nothing is written, and the caller must delete the
 * stored images.
 */
export async function recordPages(
  db: Kysely<PublicationsTables>,
  versionId: string,
  pages: readonly FinishedPage[],
  nowMs: number,
): Promise<VersionProgress | undefined> {
  return await inTransaction(db, async (transaction) => {
    const version = await lockVersion(transaction, versionId)
    if (version === undefined) return undefined
    let added = 0
    for (let start = 0; start < pages.length; start += ROWS_PER_INSERT)
      added += await insertPages(transaction, versionId, pages.slice(start, start + ROWS_PER_INSERT))
    return await advanceVersion(transaction, version, { added, isProgress: added > 0 }, nowMs)
  })
}

/**
 * Writes further images of pages, and completes the version if none are missing. Returns undefined like `recordPages`.
 */
export async function recordImages(
  db: Kysely<PublicationsTables>,
  versionId: string,
  further: readonly FurtherImages[],
  nowMs: number,
): Promise<VersionProgress | undefined> {
  return await inTransaction(db, async (transaction) => {
    const version = await lockVersion(transaction, versionId)
    if (version === undefined) return undefined
    for (const { page, images, isComplete } of further) {
      const row = await transaction
        .selectFrom('pages')
        .select(['images', 'image_sums', 'is_complete'])
        .where('version_id', '=', versionId)
        .where('page', '=', page)
        .executeTakeFirst()
      if (row === undefined) continue
      await transaction
        .updateTable('pages')
        .set({ ...addImages(row, images), is_complete: isComplete === true ? 1 : row.is_complete })
        .where('version_id', '=', versionId)
        .where('page', '=', page)
        .execute()
    }
    const isProgress = further.some(({ isComplete }) => isComplete === true)
    return await advanceVersion(transaction, version, { added: 0, isProgress }, nowMs)
  })
}

/** Records the SHA-256 of an image that an earlier version has stored, unless its row says something else by now. */
export async function recordFoundSum(
  db: Kysely<PublicationsTables>,
  key: string,
  found: { size: number; sha256: string },
): Promise<void> {
  const { versionId, page, name } = parseImageKey(key)
  const row = await db
    .selectFrom('pages')
    .select(['images', 'image_sums'])
    .where('version_id', '=', versionId)
    .where('page', '=', page)
    .executeTakeFirst()
  const image = row && readImages(row)[name]
  if (image === undefined || image.sha256 !== undefined || image.size !== found.size) return
  await db
    .updateTable('pages')
    .set({ image_sums: addImages(row!, { [name]: { ...found, isFound: true } }).image_sums })
    .where('version_id', '=', versionId)
    .where('page', '=', page)
    // An instance that makes an image at the same time knows it.
    .where('images', '=', row!.images)
    .where('image_sums', row!.image_sums === null ? 'is' : '=', row!.image_sums)
    .execute()
}

/** Ends the work of a version that cannot be completed: pages without a row fail, and no further images are made. */
export async function giveUp(
  db: Kysely<PublicationsTables>,
  versionId: string,
  failed: { code: string; reason: string },
  emptyWords: Uint8Array,
  nowMs: number,
): Promise<VersionProgress | undefined> {
  return await inTransaction(db, async (transaction) => {
    const version = await lockVersion(transaction, versionId)
    if (version === undefined) return undefined
    const rows = await transaction.selectFrom('pages').select('page').where('version_id', '=', versionId).execute()
    const finished = new Set(rows.map(({ page }) => page))
    const missing = Array.from({ length: version.pageCount }, (_, at) => at + 1).filter((page) => !finished.has(page))
    await transaction.updateTable('pages').set({ is_complete: 1 }).where('version_id', '=', versionId).execute()
    const pages = missing.map((page) => ({
      page,
      images: {},
      isComplete: true,
      failed,
      text: '',
      roles: null,
      words: emptyWords,
    }))
    return await recordPages(transaction, versionId, pages, nowMs)
  })
}

/** Locks the publication first, as replacing a file does: locking in different orders could deadlock. */
async function lockVersion(
  transaction: Transaction<PublicationsTables>,
  versionId: string,
): Promise<LockedVersion | undefined> {
  const row = await transaction
    .selectFrom('publications')
    .innerJoin('versions', 'versions.publication_id', 'publications.id')
    .select(['publication_id', 'status', 'page_count', 'pages_ready', 'updated_at'])
    .where('versions.id', '=', versionId)
    .where('publications.deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return (
    row && {
      id: versionId,
      publicationId: row.publication_id,
      status: row.status,
      pageCount: row.page_count,
      pagesReady: row.pages_ready,
      updatedAt: row.updated_at,
    }
  )
}

/** Inserts pages without a row. @returns the number of inserted rows */
async function insertPages(
  transaction: Transaction<PublicationsTables>,
  versionId: string,
  pages: readonly FinishedPage[],
): Promise<number> {
  const rows = pages.map(
    (page): PageRow => ({
      version_id: versionId,
      page: page.page,
      ...imageColumns(page.images),
      is_complete: page.isComplete ? 1 : 0,
      failed_code: page.failed?.code ?? null,
      failed_reason: page.failed?.reason ?? null,
      text: page.text,
      roles: page.roles ?? null,
      words: page.words,
      comments: page.comments ?? null,
    }),
  )
  const added = await transaction
    .insertInto('pages')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['version_id', 'page']).doNothing())
    .returning('page')
    .execute()
  return added.length
}

/** A version is ready to read when this many pages are finished. */
const PAGES_UNTIL_READY = 20

/** A version whose row and publication are locked. */
type LockedVersion = {
  id: string
  publicationId: string
  status: PublicationStatus
  pageCount: number
  pagesReady: number
  updatedAt: number
}

/** Updates the progress and status of a version after pages were added or got further images. */
async function advanceVersion(
  transaction: Transaction<PublicationsTables>,
  version: LockedVersion,
  { added, isProgress }: { added: number; isProgress: boolean },
  nowMs: number,
): Promise<VersionProgress> {
  const pagesReady = version.pagesReady + added
  const isWhole = pagesReady >= version.pageCount
  const hasWork = !isWhole || (await hasIncomplete(transaction, version.id))
  const status = version.status === 'processing' ? await statusNow(transaction, version, isWhole) : version.status
  const failure = status === 'failed' ? await failureOf(transaction, version.id) : null
  await transaction
    .updateTable('versions')
    .set({
      pages_ready: pagesReady,
      status,
      ...(failure === null ? {} : { failure: JSON.stringify(failure) }),
      ...(hasWork ? {} : { lease_owner: null, lease_until: null }),
      has_work: hasWork ? 1 : 0,
      ...(isProgress ? { attempts: 0 } : {}),
    })
    .where('id', '=', version.id)
    .execute()
  if (status !== version.status) await announceStatus(transaction, version, status, nowMs)
  return { status, pageCount: version.pageCount, pagesReady }
}

async function hasIncomplete(transaction: Transaction<PublicationsTables>, versionId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('pages')
    .select('page')
    .where('version_id', '=', versionId)
    .where('is_complete', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function statusNow(
  transaction: Transaction<PublicationsTables>,
  { id, pageCount }: LockedVersion,
  isWhole: boolean,
): Promise<PublicationStatus> {
  const wanted = Math.min(PAGES_UNTIL_READY, pageCount)
  const first = transaction.selectFrom('pages').where('version_id', '=', id).where('page', '<=', wanted)
  if ((await countRows(first)) < wanted) return 'processing'
  const good = await transaction
    .selectFrom('pages')
    .select('page')
    .where('version_id', '=', id)
    .where('failed_code', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (good !== undefined) return 'ready'
  return isWhole ? 'failed' : 'processing'
}

/** Returns the failure of a version: the reason of its first page. */
async function failureOf(transaction: Transaction<PublicationsTables>, versionId: string) {
  const first = await transaction
    .selectFrom('pages')
    .select(['failed_code', 'failed_reason'])
    .where('version_id', '=', versionId)
    .orderBy('page')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { code: first.failed_code, detail: `No page could be rendered. ${first.failed_reason}` }
}

/**
 * Records a change of status with the publication. Readers see a ready version;
 * after a failure they still see the last one.
 */
async function announceStatus(
  transaction: Transaction<PublicationsTables>,
  version: LockedVersion,
  status: PublicationStatus,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('publications')
    .set({
      updated_at: nextUpdate({ updated_at: version.updatedAt }, nowMs),
      ...(status === 'ready' ? { shown_version_id: null } : {}),
    })
    .where('id', '=', version.publicationId)
    .where('version_id', '=', version.id)
    .executeTakeFirstOrThrow()
  // A file that has been replaced meanwhile is no news.
  if (numUpdatedRows === 0n || status === 'processing') return
  await announcePublication(transaction, `publication.${status}`, version.publicationId)
}
