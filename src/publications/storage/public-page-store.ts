import { type Kysely, sql } from 'kysely'
import type { PublicationsTables } from './tables.ts'

/** A publication as its readers get it: the version that is shown, which an unready later one leaves in place. */
export type ShownPublication = {
  id: string
  /** The one it is known by now, which need not be the one it was found by. */
  slug: string
  title: string
  epoch: number
  is_unpublished: boolean
  created_at: number
  updated_at: number
  version_id: string
  sha256: string
  size: number
  page_count: number
  /** JSON of `DocumentFacts`, read only where they are needed: those of a large document are large. */
  facts: string
  status: string
  pages_ready: number
  failure: string | null
}

/** A finished page as it is shown. */
export type ShownPage = {
  page: number
  text: string
  failed_code: string | null
  failed_reason: string | null
  /** As `encodePageContent` stores them. */
  words: Uint8Array
}

/** An entry of the list that search engines read. */
export type ListedPage = { slug: string; updated_at: number }

/** What public pages are made of. */
export type PublicPageStore = {
  /** The publication that a slug is or was of; undefined where there is none, or none any more. */
  find(slug: string): Promise<ShownPublication | undefined>
  /** The finished pages of a version from one page to another, both included, in their order. */
  pages(versionId: string, from: number, to: number): Promise<ShownPage[]>
  /** How many publications `list` goes through. */
  count(): Promise<number>
  /** Publications that are public and ready, the oldest first, so that later ones move nothing. */
  list(offset: number, limit: number): Promise<ListedPage[]>
}

/** No slug has other characters; PostgreSQL refuses some texts that an address can hold. */
const SLUG = /^[a-z0-9-]{1,100}$/

export function createPublicPageStore(db: Kysely<PublicationsTables>): PublicPageStore {
  return {
    async find(slug) {
      if (!SLUG.test(slug)) return undefined
      const row = await shownVersions(db)
        .innerJoin('slugs', 'slugs.publication_id', 'publications.id')
        .where('slugs.slug', '=', slug)
        .select(['publications.id', 'publications.slug', 'publications.title', 'publications.epoch'])
        .select(['publications.unpublished_at', 'publications.created_at', 'publications.updated_at'])
        .select(['versions.id as version_id', 'versions.sha256', 'versions.size', 'versions.page_count'])
        .select(['versions.facts', 'versions.status', 'versions.pages_ready', 'versions.failure'])
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { unpublished_at, ...shown } = row
      return { ...shown, is_unpublished: unpublished_at !== null }
    },

    async pages(versionId, from, to) {
      return await db
        .selectFrom('pages')
        .select(['page', 'text', 'failed_code', 'failed_reason', 'words'])
        .where('version_id', '=', versionId)
        .where('page', '>=', from)
        .where('page', '<=', to)
        .orderBy('page')
        .execute()
    },

    async count() {
      const { total } = await listed(db)
        .select((expression) => expression.fn.countAll().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    async list(offset, limit) {
      return await listed(db)
        .select(['publications.slug', 'publications.updated_at'])
        .orderBy('publications.created_at')
        .orderBy('publications.id')
        .offset(offset)
        .limit(limit)
        .execute()
    },
  }
}

/** Publications that exist, each with the version that readers see. */
function shownVersions(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('publications')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .innerJoin('versions', (join) =>
      join.on('versions.id', '=', sql<string>`coalesce(publications.shown_version_id, publications.version_id)`),
    )
    .where('publications.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
}

function listed(db: Kysely<PublicationsTables>) {
  return shownVersions(db).where('publications.unpublished_at', 'is', null).where('versions.status', '=', 'ready')
}
