import type { Kysely } from 'kysely'
import type { PublicationsTables } from './tables.ts'

/** What is served of a publication's file, without what is known of its content. */
export type ReadableFile = {
  publicationId: string
  title: string
  epoch: number
  unpublishedAtMs: number | null
  versionId: string
  blobKey: string
  size: number
  sha256: string
  pageCount: number
}

/** What readers ask for: one cheap query each. Deleted publications are not there, withdrawn ones are. */
export type ReadingStore = {
  /** The latest file of the publication that a slug, its own or a former one, leads to. */
  findBySlug(slug: string): Promise<ReadableFile | undefined>
  /** A file by its version, whether or not a later one has taken its place. */
  findByVersion(versionId: string): Promise<ReadableFile | undefined>
}

/** No slug is longer or has other characters; PostgreSQL refuses some texts that an address can hold. */
const SLUG = /^[a-z0-9-]{1,100}$/

export function createReadingStore(db: Kysely<PublicationsTables>): ReadingStore {
  /** Those of a workspace that has been deleted are gone before their rows are. */
  const files = db
    .selectFrom('publications')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .where('publications.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .select([
      'publications.id as publicationId',
      'publications.title',
      'publications.epoch',
      'publications.unpublished_at as unpublishedAtMs',
    ])

  return {
    async findBySlug(slug) {
      if (!SLUG.test(slug)) return undefined
      return await files
        .innerJoin('slugs', 'slugs.publication_id', 'publications.id')
        .innerJoin('versions', 'versions.id', 'publications.version_id')
        .select(FILE_COLUMNS)
        .where('slugs.slug', '=', slug)
        .executeTakeFirst()
    },

    async findByVersion(versionId) {
      return await files
        .innerJoin('versions', 'versions.publication_id', 'publications.id')
        .select(FILE_COLUMNS)
        .where('versions.id', '=', versionId)
        .executeTakeFirst()
    },
  }
}

const FILE_COLUMNS = [
  'versions.id as versionId',
  'versions.blob_key as blobKey',
  'versions.size',
  'versions.sha256',
  'versions.page_count as pageCount',
] as const
