import { type Kysely, sql } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { PublicationsTables } from '../model/tables.ts'
import type { StoredContent } from '../rendering/pages/render-page.ts'

/** A version that may have pages without text. */
export type VersionToRecognize = {
  id: string
  blobKey: string
  pageCount: number
  language: string | null
  workspaceId: string
  /** Path of the upload, which tells a PDF from images; null if it is not known. */
  path: string | null
}

/** A page that this instance has leased, with its number of attempts, including this one. */
export type LeasedPage = { versionId: string; page: number; words: Uint8Array; attempts: number }

type Lease = { owner: string; nowMs: number; untilMs: number }

/** Literal condition of the index of versions to recognise, which is not used with a parameter in its place. */
const isToRecognize = sql<boolean>`recognized_at is null`

/** A document with this many unreadable pages is made to keep the recogniser busy: its other pages stay as they are. */
const MAX_UNREADABLE = 3

/**
 * Pages without text as jobs: the instance with the lease of a page recognises it exclusively until the lease expires.
 * After a crash, another attempt follows.
 */
export type RecognitionStore = ReturnType<typeof createRecognitionStore>

export function createRecognitionStore(db: Kysely<PublicationsTables>) {
  return {
    /** Returns true while any document has pages or images to render. */
    async isRendering(): Promise<boolean> {
      const row = await db.selectFrom('versions').select('id').where(sql<boolean>`has_work = 1`).limit(1).execute()
      return row.length > 0
    },

    /** Returns the number of rendered versions that have not been looked through. */
    async countWaiting(): Promise<number> {
      const { count } = await waiting(db)
        .select((select) => select.fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /**
     * Returns rendered versions that have not been looked through, of other workspaces than these, newest first: their
     * publishers are there.
     */
    async listVersions(limit: number, exceptWorkspaces: readonly string[] = []): Promise<VersionToRecognize[]> {
      let query = waiting(db)
        .leftJoin('uploads', 'uploads.storage_key', 'versions.storage_key')
        .select(['versions.id', 'versions.blob_key as blobKey', 'page_count as pageCount', 'language'])
        .select(['publications.workspace_id as workspaceId', 'uploads.path'])
      if (exceptWorkspaces.length > 0) query = query.where('publications.workspace_id', 'not in', exceptWorkspaces)
      return await query.orderBy('versions.created_at', 'desc').limit(limit).execute()
    },

    /** Returns recognised pages with words after a page of a version, by number. */
    async listRecognized(versionId: string, after: number, limit: number) {
      return await db
        .selectFrom('pages')
        .select(['page', 'words'])
        .where('version_id', '=', versionId)
        .where('page', '>', after)
        .where('text_source', '=', 'recognized')
        .where('text', '!=', '')
        .orderBy('page')
        .limit(limit)
        .execute()
    },

    /** Tells whether any page of a version has recognised words. */
    async hasRecognized(versionId: string): Promise<boolean> {
      const version = db.selectFrom('versions').select('pages_recognized').where('id', '=', versionId)
      return ((await version.executeTakeFirst())?.pages_recognized ?? 0) > 0
    },

    /**
     * Leases the first page of a version that has no text and no lease; `leased` if others have all of these, and
     * undefined if there is none, or too many could not be recognised.
     */
    claimPage: (versionId: string, lease: Lease) => claimPage(db, versionId, lease),

    /** Extends the lease of a page. @returns false if it is lost */
    async extend(page: LeasedPage, owner: string, untilMs: number): Promise<boolean> {
      const rows = await leased(db, page, owner).set({ recognition_until: untilMs }).returning('page').execute()
      return rows.length > 0
    },

    /** Releases a page, which is not claimed again before `notBeforeMs`. */
    async release(page: LeasedPage, owner: string, notBeforeMs: number | null, isCounted: boolean): Promise<void> {
      const { attempts } = page
      await leased(db, page, owner)
        .set({
          recognition_owner: null,
          recognition_until: notBeforeMs,
          recognition_attempts: isCounted ? attempts : attempts - 1,
        })
        .execute()
    },

    /** Stores the recognised content of a page. @throws PageLostError if it is no longer leased */
    record: (page: LeasedPage, owner: string, content: StoredContent) => record(db, page, owner, content),

    /** Marks a page that cannot be recognised. With too many of them, `claimPage` finds no further page. */
    async giveUp(page: LeasedPage, owner: string): Promise<void> {
      await leased(db, page, owner)
        .set({ text_source: 'unreadable', recognition_owner: null, recognition_until: null })
        .execute()
    },

    /**
     * Marks a version without further pages to recognise, with the text that was added to its file.
     * @returns `gone` if there is no such version any more
     */
    async finish(versionId: string, nowMs: number, text?: { size: number; sha256: string }): Promise<'done' | 'gone'> {
      const rows = await db
        .updateTable('versions')
        .set({ recognized_at: nowMs, ...(text && { text_size: text.size, text_sha256: text.sha256 }) })
        .where('id', '=', versionId)
        .where('removed_at', 'is', null)
        .returning('id')
        .execute()
      return rows.length > 0 ? 'done' : 'gone'
    },
  }
}

/** Selects rendered versions that have not been looked through. */
function waiting(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('versions')
    .innerJoin('publications', 'publications.version_id', 'versions.id')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .where(isToRecognize)
    .where('has_work', '=', 0)
    .where('status', '=', 'ready')
    .where('publications.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .where((where) => where.or([where('recognize_text', 'is', null), where('recognize_text', '=', 1)]))
}

/** Updates a page that this instance has leased. */
function leased(db: Kysely<PublicationsTables>, { versionId, page }: LeasedPage, owner: string) {
  return db
    .updateTable('pages')
    .where('version_id', '=', versionId)
    .where('page', '=', page)
    .where('recognition_owner', '=', owner)
}

async function record(
  db: Kysely<PublicationsTables>,
  page: LeasedPage,
  owner: string,
  content: StoredContent,
): Promise<void> {
  // Pictures without words change nothing for readers.
  const added = content.text === '' ? 0 : 1
  await inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('versions')
      .set((set) => ({ pages_recognized: sql<number>`coalesce(${set.ref('pages_recognized')}, 0) + ${added}` }))
      .where('id', '=', page.versionId)
      .execute()
    const stored = await leased(transaction, page, owner)
      .set({ ...content, text_source: 'recognized', recognition_owner: null, recognition_until: null })
      .returning('page')
      .execute()
    if (stored.length === 0) throw new PageLostError()
  })
}

/** Thrown when a page has been deleted, or leased by another instance. */
export class PageLostError extends Error {
  constructor() {
    super('The page is no longer leased')
    this.name = 'PageLostError'
  }
}

async function isGivenUp(db: Kysely<PublicationsTables>, versionId: string): Promise<boolean> {
  const unreadable = await db
    .selectFrom('pages')
    .select('page')
    .where('version_id', '=', versionId)
    .where('text_source', '=', 'unreadable')
    .limit(MAX_UNREADABLE)
    .execute()
  return unreadable.length === MAX_UNREADABLE
}

async function claimPage(
  db: Kysely<PublicationsTables>,
  versionId: string,
  { owner, nowMs, untilMs }: Lease,
): Promise<LeasedPage | 'leased' | undefined> {
  const withoutText = db
    .selectFrom('pages')
    .select('page')
    .where('version_id', '=', versionId)
    .where('text', '=', '')
    .where('failed_code', 'is', null)
    .where('text_source', 'is', null)
  if (await isGivenUp(db, versionId)) return undefined
  for (;;) {
    const free = await withoutText
      .where((where) => where.or([where('recognition_until', 'is', null), where('recognition_until', '<=', nowMs)]))
      .orderBy('page')
      .limit(1)
      .executeTakeFirst()
    if (free === undefined) return (await withoutText.limit(1).executeTakeFirst()) && 'leased'
    const claimed = await db
      .updateTable('pages')
      .set({
        recognition_owner: owner,
        recognition_until: untilMs,
        recognition_attempts: sql<number>`coalesce(recognition_attempts, 0) + 1`,
      })
      .where('version_id', '=', versionId)
      .where('page', '=', free.page)
      .where('text_source', 'is', null)
      .where((where) => where.or([where('recognition_until', 'is', null), where('recognition_until', '<=', nowMs)]))
      .returning(['words', 'recognition_attempts'])
      .executeTakeFirst()
    // Another instance was faster; there may be another page.
    if (claimed !== undefined)
      return { versionId, page: free.page, words: claimed.words, attempts: claimed.recognition_attempts ?? 1 }
  }
}
