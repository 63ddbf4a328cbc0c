import type { Kysely } from 'kysely'
import { FIRST_IMAGE, readImages } from './image-forms.ts'
import type { PublicationsTables } from './tables.ts'

/** A finished page without its words: its images with their sizes, or the reason of its failure. */
export type StoredPage = {
  page: number
  images: Record<string, number>
  isComplete: boolean
  failed: { code: string; reason: string } | undefined
}

/** Finished pages of versions; a page without a row has yet to be rendered. */
export type PagesStore = ReturnType<typeof createPagesStore>

const columns = ['page', 'images', 'is_complete', 'failed_code', 'failed_reason'] as const

export function createPagesStore(db: Kysely<PublicationsTables>) {
  const pagesOf = (versionId: string) => db.selectFrom('pages').where('version_id', '=', versionId).orderBy('page')

  return {
    /** Returns the given pages that are finished, by number. */
    async find(versionId: string, pages: readonly number[]): Promise<StoredPage[]> {
      if (pages.length === 0) return []
      const rows = await pagesOf(versionId).select(columns).where('page', 'in', pages).execute()
      return rows.map(toStoredPage)
    },

    /** Returns all finished pages of a version, by number. */
    async list(versionId: string): Promise<StoredPage[]> {
      const rows = await pagesOf(versionId).select(columns).execute()
      return rows.map(toStoredPage)
    },

    /** Returns the SHA-256 of the first image of each finished page, by number; undefined where it is not known. */
    async imageHashes(versionId: string): Promise<Map<number, string | undefined>> {
      const rows = await pagesOf(versionId).select(['page', 'images', 'image_sums']).execute()
      return new Map(rows.map((row) => [row.page, readImages(row)[FIRST_IMAGE]?.sha256]))
    },

    /** Returns the failed pages of a version, by number. */
    async listFailed(versionId: string): Promise<{ page: number; code: string; reason: string }[]> {
      const rows = await pagesOf(versionId)
        .select(['page', 'failed_code', 'failed_reason'])
        .where('failed_code', 'is not', null)
        .execute()
      return rows.map((row) => ({ page: row.page, code: row.failed_code!, reason: row.failed_reason ?? '' }))
    },
  }
}

type Row = {
  page: number
  images: string
  is_complete: number
  failed_code: string | null
  failed_reason: string | null
}

function toStoredPage(row: Row): StoredPage {
  return {
    page: row.page,
    images: JSON.parse(row.images) as Record<string, number>,
    isComplete: row.is_complete === 1,
    failed: row.failed_code === null ? undefined : { code: row.failed_code, reason: row.failed_reason ?? '' },
  }
}

export type PageText = { page: number; text: string }

/** Texts of finished pages, without their words, which are many times larger. */
export type PageTextsStore = ReturnType<typeof createPageTextsStore>

export function createPageTextsStore(db: Kysely<PublicationsTables>) {
  return {
    /** Returns at most `limit` texts of a version after a page, by number. */
    async listAfter(versionId: string, page: number, limit: number): Promise<PageText[]> {
      return await db
        .selectFrom('pages')
        .select(['page', 'text'])
        .where('version_id', '=', versionId)
        .where('page', '>', page)
        .orderBy('page')
        .limit(limit)
        .execute()
    },
  }
}
