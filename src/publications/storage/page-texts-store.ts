import type { Kysely } from 'kysely'
import type { PublicationsTables } from './tables.ts'

export type PageText = { page: number; text: string }

/** Texts of finished pages, without their words, which are many times larger. */
export type PageTextsStore = {
  /** Returns at most `limit` texts of a version after a page, by number. */
  listAfter(versionId: string, page: number, limit: number): Promise<PageText[]>
}

export function createPageTextsStore(db: Kysely<PublicationsTables>): PageTextsStore {
  return {
    async listAfter(versionId, page, limit) {
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
