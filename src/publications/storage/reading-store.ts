import type { Kysely } from 'kysely'
import { findBySlug } from './publication-rows.ts'
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

export function createReadingStore(db: Kysely<PublicationsTables>): ReadingStore {
  return {
    async findBySlug(slug) {
      const found = await findBySlug(db, slug)
      if (found === undefined) return undefined
      const { id: publicationId, title, epoch, size, sha256 } = found
      const { unpublished_at: unpublishedAtMs, version_id: versionId, blob_key: blobKey, page_count: pageCount } = found
      return { publicationId, title, epoch, unpublishedAtMs, versionId, blobKey, size, sha256, pageCount }
    },

    async findByVersion(versionId) {
      return await db
        .selectFrom('versions')
        .innerJoin('publications', 'publications.id', 'versions.publication_id')
        .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
        .select([
          'publications.id as publicationId',
          'publications.title',
          'publications.epoch',
          'publications.unpublished_at as unpublishedAtMs',
          'versions.id as versionId',
          'versions.blob_key as blobKey',
          'versions.size',
          'versions.sha256',
          'versions.page_count as pageCount',
        ])
        .where('versions.id', '=', versionId)
        .where('publications.deleted_at', 'is', null)
        // Those of a workspace that has been deleted are gone before their rows are.
        .where('workspaces.deleted_at', 'is', null)
        .executeTakeFirst()
    },
  }
}
