import type { Kysely } from 'kysely'
import type { PublicationsTables } from './tables.ts'

export type PageText = { page: number; text: string }

/** The texts of finished pages, without their words, which are many times as large. */
export type PageTextsStore = {
  /** Those of a version after a page, by number, at most so many. */
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
