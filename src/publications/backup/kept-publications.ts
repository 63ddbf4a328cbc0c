import type { Kysely } from 'kysely'
import type { KeptData, NamedBlob } from '#platform/backup/kept-data.ts'
import { imageKey } from '../domain/image-forms.ts'
import { publicationsMigrations } from '../migrations/all-migrations.ts'
import type { PublicationsTables } from '../storage/tables.ts'

/** The data of the service, for backups. Files of publications and workspaces that are being deleted are left out. */
export const keptPublications: KeptData = {
  name: 'publications',
  migrations: publicationsMigrations,
  endedByRestore: [],
  blobs: {
    uploads: (db) => uploadedFiles(db as Kysely<PublicationsTables>),
    versions: (db) => filesOfVersions(db as Kysely<PublicationsTables>),
    pages: (db) => pageImages(db as Kysely<PublicationsTables>),
  },
  folders: [],
  findDamage: async () => [],
}

const ROWS_PER_STEP = 500

/** Files that were uploaded, published or not. */
async function* uploadedFiles(db: Kysely<PublicationsTables>): AsyncGenerator<NamedBlob> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('uploads')
      .innerJoin('workspaces', 'workspaces.id', 'uploads.workspace_id')
      .leftJoin('publications', 'publications.id', 'uploads.publication_id')
      .select(['uploads.storage_key', 'uploads.blob_key', 'uploads.size', 'uploads.sha256'])
      .where('uploads.storage_key', '>', after)
      .where('uploads.blob_key', 'is not', null)
      .where('workspaces.deleted_at', 'is', null)
      .where('publications.deleted_at', 'is', null)
      .orderBy('uploads.storage_key')
      .limit(ROWS_PER_STEP)
      .execute()
    for (const { blob_key, size, sha256 } of rows) yield { key: blob_key!, size: size!, sha256: sha256 ?? undefined }
    if (rows.length < ROWS_PER_STEP) return
    after = rows[rows.length - 1].storage_key
  }
}

/** Files of versions, most of which are those of uploads, too. */
async function* filesOfVersions(db: Kysely<PublicationsTables>): AsyncGenerator<NamedBlob> {
  for await (const { blob_key, size, sha256 } of versions(db)) yield { key: blob_key, size, sha256 }
}

async function* pageImages(db: Kysely<PublicationsTables>): AsyncGenerator<NamedBlob> {
  for await (const { id } of versions(db)) {
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('pages')
        .select(['page', 'images'])
        .where('version_id', '=', id)
        .where('page', '>', after)
        .orderBy('page')
        .limit(ROWS_PER_STEP)
        .execute()
      for (const { page, images } of rows)
        for (const [name, size] of Object.entries(JSON.parse(images) as Record<string, number>))
          yield { key: imageKey(id, page, name), size, sha256: undefined }
      if (rows.length < ROWS_PER_STEP) break
      after = rows[rows.length - 1].page
    }
  }
}

async function* versions(db: Kysely<PublicationsTables>) {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('versions')
      .innerJoin('publications', 'publications.id', 'versions.publication_id')
      .select(['versions.id', 'versions.blob_key', 'versions.size', 'versions.sha256'])
      .where('versions.id', '>', after)
      .where('publications.deleted_at', 'is', null)
      .orderBy('versions.id')
      .limit(ROWS_PER_STEP)
      .execute()
    yield* rows
    if (rows.length < ROWS_PER_STEP) return
    after = rows[rows.length - 1].id
  }
}
