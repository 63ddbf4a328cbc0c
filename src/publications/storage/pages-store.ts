import type { Kysely } from 'kysely'
import type { PublicationsTables } from './tables.ts'

/** A finished page without its words: its images with their sizes, or the reason of its failure. */
export type StoredPage = {
  page: number
  images: Record<string, number>
  isComplete: boolean
  failed: { code: string; reason: string } | undefined
}

/** Finished pages of versions; a page without a row has yet to be rendered. */
export type PagesStore = {
  /** Returns those of the given pages that are finished, by number. */
  find(versionId: string, pages: readonly number[]): Promise<StoredPage[]>
  /** Returns all finished pages of a version, by number. */
  list(versionId: string): Promise<StoredPage[]>
  /** Returns the failed pages of a version, by number. */
  listFailed(versionId: string): Promise<{ page: number; code: string; reason: string }[]>
}

const columns = ['page', 'images', 'is_complete', 'failed_code', 'failed_reason'] as const

export function createPagesStore(db: Kysely<PublicationsTables>): PagesStore {
  const pagesOf = (versionId: string) => db.selectFrom('pages').where('version_id', '=', versionId).orderBy('page')

  return {
    async find(versionId, pages) {
      if (pages.length === 0) return []
      const rows = await pagesOf(versionId).select(columns).where('page', 'in', pages).execute()
      return rows.map(toStoredPage)
    },

    async list(versionId) {
      const rows = await pagesOf(versionId).select(columns).execute()
      return rows.map(toStoredPage)
    },

    async listFailed(versionId) {
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
