import { type Kysely, sql } from 'kysely'
import type { PublicationStatus } from '../domain/publication-status.ts'
import { isSlug } from '../domain/slug.ts'
import type { PublicationsTables } from './tables.ts'

/** A publication with the version that readers see, which stays until a later one is ready. */
export type ShownPublication = {
  id: string
  /** The current slug, which may differ from the one that was searched for. */
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
  /** JSON of `DocumentFacts`, parsed only where needed: those of a large document are large. */
  facts: string
  status: PublicationStatus
  pages_ready: number
  failure: string | null
}

/** A finished page for readers. */
export type ShownPage = {
  page: number
  text: string
  failed_code: string | null
  failed_reason: string | null
  /** Content encoded by `encodePageContent`. */
  words: Uint8Array
}

/** An entry of the sitemap. */
type ListedPage = { slug: string; updated_at: number }

/** Publications and pages for readers. */
export type PublicPageStore = {
  /** Finds the publication with a current or former slug, unless it is deleted. */
  find(slug: string): Promise<ShownPublication | undefined>
  /** Returns the finished pages of a version from one page to another, inclusive, in order. */
  pages(versionId: string, from: number, to: number): Promise<ShownPage[]>
  /** Returns the number of publications that `list` goes through. */
  count(): Promise<number>
  /** Returns publications that are public and ready, oldest first, so that new ones do not shift the others. */
  list(offset: number, limit: number): Promise<ListedPage[]>
}

export function createPublicPageStore(db: Kysely<PublicationsTables>): PublicPageStore {
  return {
    async find(slug) {
      if (!isSlug(slug)) return undefined
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

/** Selects publications that are not deleted, each with the version that readers see. */
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
