import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { PageRow, PublicationsTables } from './tables.ts'
import type { VersionProgress } from './versions-store.ts'

/** A page that is finished, its images stored; or one that failed, without images. */
export type FinishedPage = {
  page: number
  /** Sizes in bytes by name: `{"1200.jpg": 81234}`. */
  images: Record<string, number>
  /** Whether nothing more is to be made of it unasked. */
  isComplete: boolean
  failed?: { code: string; reason: string }
  text: string
  words: Uint8Array
}

/** Further images of a page that has a row. */
export type FurtherImages = { page: number; images: Record<string, number>; isComplete?: boolean }

/** Readers have something to look at when so many pages are there. */
export const PAGES_UNTIL_READY = 20

/** Rows in one statement: their values stay far below what either engine takes. */
const ROWS_PER_INSERT = 500

type LockedVersion = {
  id: string
  publicationId: string
  status: string
  pageCount: number
  pagesReady: number
  updatedAt: number
}

/**
 * Writes finished pages of a version, and what follows from them: how far it is, whether it is ready, failed or done.
 * A page that has a row already stays as it is, whoever made it. Undefined once the version or its publication is
 * deleted: then nothing is written, and what was stored for the pages has to go.
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
    return await moveOn(transaction, version, { added, isProgress: added > 0 }, nowMs)
  })
}

/** Writes further images of pages, and that nothing is left to be done when it is so. Undefined as for `recordPages`. */
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
        .select(['images', 'is_complete'])
        .where('version_id', '=', versionId)
        .where('page', '=', page)
        .executeTakeFirst()
      if (row === undefined) continue
      await transaction
        .updateTable('pages')
        .set({
          images: JSON.stringify({ ...JSON.parse(row.images), ...images }),
          is_complete: isComplete === true ? 1 : row.is_complete,
        })
        .where('version_id', '=', versionId)
        .where('page', '=', page)
        .execute()
    }
    const isProgress = further.some(({ isComplete }) => isComplete === true)
    return await moveOn(transaction, version, { added: 0, isProgress }, nowMs)
  })
}

/** Ends the work of a version that cannot be brought to an end otherwise: pages without a row fail, and no more is made. */
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
    const pages = missing.map((page) => ({ page, images: {}, isComplete: true, failed, text: '', words: emptyWords }))
    return await recordPages(transaction, versionId, pages, nowMs)
  })
}

/** The publication first, as whoever replaces a file does it: two that lock in different orders wait for each other. */
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

/** @returns how many were new. */
async function insertPages(
  transaction: Transaction<PublicationsTables>,
  versionId: string,
  pages: readonly FinishedPage[],
): Promise<number> {
  const rows = pages.map(
    (page): PageRow => ({
      version_id: versionId,
      page: page.page,
      images: JSON.stringify(page.images),
      is_complete: page.isComplete ? 1 : 0,
      failed_code: page.failed?.code ?? null,
      failed_reason: page.failed?.reason ?? null,
      text: page.text,
      words: page.words,
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

async function moveOn(
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
): Promise<string> {
  const wanted = Math.min(PAGES_UNTIL_READY, pageCount)
  const first = await transaction
    .selectFrom('pages')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('version_id', '=', id)
    .where('page', '<=', wanted)
    .executeTakeFirstOrThrow()
  if (Number(first.count) < wanted) return 'processing'
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

/** The first page's reason stands for all. */
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

/** A ready version is what readers see from now on; where it failed they go on seeing the one before. */
async function announceStatus(
  transaction: Transaction<PublicationsTables>,
  version: LockedVersion,
  status: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('publications')
    .set({
      updated_at: Math.max(nowMs, version.updatedAt + 1),
      ...(status === 'ready' ? { shown_version_id: null } : {}),
    })
    .where('id', '=', version.publicationId)
    .where('version_id', '=', version.id)
    .execute()
}
