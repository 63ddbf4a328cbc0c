import { type Kysely, sql } from 'kysely'
import { listed } from './public-page-store.ts'
import type { PublicationsTables } from './tables.ts'

/** A publication on a shelf, with the data of its cover and its lines. */
export type ShelvedPublication = {
  id: string
  slug: string
  title: string
  /** As its publisher states them; null for none. */
  language: string | null
  author: string | null
  description: string | null
  epoch: number
  version_id: string
  sha256: string
  page_count: number
  pages_ready: number
  published_at: number
  updated_at: number
  /** End of reading; null without one. */
  expires_at?: number | null
}

/** The text of a page, and the version that it is in. */
export type ShelfPageText = { version_id: string; page: number; text: string }

/** The publications of workspaces that are for everyone. `listed` has all rules. */
export type ShelfStore = ReturnType<typeof createShelfStore>

/** Publications without a position come last. */
const POSITION = sql<number>`coalesce(publications.shelf_position, 2147483647)`
const PUBLISHED_AT = sql<number>`coalesce(publications.published_at, publications.created_at)`

export function createShelfStore(db: Kysely<PublicationsTables>, now: () => number) {
  const shelved = (workspaceId: string) => listed(db, now()).where('publications.workspace_id', '=', workspaceId)
  const selected = (workspaceId: string) =>
    shelved(workspaceId)
      .select(['publications.id', 'publications.slug', 'publications.title', 'publications.epoch'])
      .select(['publications.language', 'publications.author', 'publications.description'])
      .select(['versions.id as version_id', 'versions.sha256', 'versions.page_count', 'versions.pages_ready'])
      .select([PUBLISHED_AT.as('published_at'), 'publications.updated_at', 'publications.expires_at'])

  return {
    async count(workspaceId: string): Promise<number> {
      const { total } = await shelved(workspaceId)
        .select((expression) => expression.fn.countAll().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    /** Returns publications in the order of the shelf: the publisher's, then newest first. */
    async list(workspaceId: string, offset: number, limit: number): Promise<ShelvedPublication[]> {
      return await selected(workspaceId)
        .orderBy(POSITION)
        .orderBy(PUBLISHED_AT, 'desc')
        .orderBy('publications.id')
        .offset(offset)
        .limit(limit)
        .execute()
    },

    /** Returns the publications that were published last. */
    async newest(workspaceId: string, limit: number): Promise<ShelvedPublication[]> {
      return await selected(workspaceId).orderBy(PUBLISHED_AT, 'desc').orderBy('publications.id').limit(limit).execute()
    },

    /** Returns the beginnings of the texts of finished pages of versions, by version and page. */
    async texts(
      versionIds: readonly string[],
      { from, to, characters }: { from: number; to: number; characters: number },
    ): Promise<ShelfPageText[]> {
      return await db
        .selectFrom('pages')
        .select(['version_id', 'page', sql<string>`substr(text, 1, ${sql.lit(characters)})`.as('text')])
        .where('version_id', 'in', [...versionIds])
        .where('page', '>=', from)
        .where('page', '<=', to)
        .orderBy('version_id')
        .orderBy('page')
        .execute()
    },
  }
}
