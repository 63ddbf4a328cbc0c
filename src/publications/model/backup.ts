import { type Kysely, sql } from 'kysely'
import type { KeptData, NamedBlob } from '#platform/backup/kept-data.ts'
import { textKey } from './files-store.ts'
import { imageKey, isImageKey, readImages } from './image-forms.ts'
import { publicationsMigrations } from './migrations.ts'
import { recordFoundSum } from './record-pages.ts'
import type { PublicationsTables } from './tables.ts'

/**
 * The data of the service, for backups. Files of publications and workspaces that are being deleted are left out, those
 * of publications in the bin are not.
 */
export const keptPublications: KeptData = {
  name: 'publications',
  migrations: publicationsMigrations,
  endedByRestore: [],
  blobs: {
    uploads: (db, after) => uploadedFiles(db as Kysely<PublicationsTables>, after),
    versions: (db, after) => versionFiles(db as Kysely<PublicationsTables>, after),
    texts: (db, after) => recognizedTexts(db as Kysely<PublicationsTables>, after),
    pages: (db, after) => pageImages(db as Kysely<PublicationsTables>, after),
  },
  folders: [],
  async recordSum(db, key, found) {
    if (isImageKey(key)) await recordFoundSum(db as Kysely<PublicationsTables>, key, found)
  },
}

const ROWS_PER_STEP = 500

/** Selects uploads without a publication, and everything of publications that are there or in the bin. */
const isKept = sql<boolean>`(publications.deleted_at is null or publications.binned_at is not null)`

/** Files that were uploaded, published or not. */
async function* uploadedFiles(db: Kysely<PublicationsTables>, from = ''): AsyncGenerator<NamedBlob> {
  for (let after = from; ; ) {
    const rows = await db
      .selectFrom('uploads')
      .innerJoin('workspaces', 'workspaces.id', 'uploads.workspace_id')
      .leftJoin('publications', 'publications.id', 'uploads.publication_id')
      .select(['uploads.storage_key', 'uploads.blob_key', 'uploads.size', 'uploads.sha256', 'uploads.publication_id'])
      .where('uploads.storage_key', '>', after)
      .where('uploads.blob_key', 'is not', null)
      .where('workspaces.deleted_at', 'is', null)
      .where(isKept)
      .orderBy('uploads.storage_key')
      .limit(ROWS_PER_STEP)
      .execute()
    for (const { storage_key, blob_key, size, sha256, publication_id } of rows)
      yield {
        key: blob_key!,
        size: size!,
        sha256: sha256 ?? undefined,
        at: storage_key,
        subjectId: publication_id,
        // A version has it.
        isNamedAgain: publication_id !== null,
      }
    if (rows.length < ROWS_PER_STEP) return
    after = rows[rows.length - 1].storage_key
  }
}

/** Files of versions, most of which are uploads, too. */
async function* versionFiles(db: Kysely<PublicationsTables>, from = ''): AsyncGenerator<NamedBlob> {
  for await (const { id, publication_id, blob_key, size, sha256 } of versions(db, from))
    yield { key: blob_key, size, sha256, at: id, subjectId: publication_id }
}

/** Recognised text of versions whose PDF was made of images. */
async function* recognizedTexts(db: Kysely<PublicationsTables>, after = ''): AsyncGenerator<NamedBlob> {
  const rows = await db
    .selectFrom('versions')
    .innerJoin('publications', 'publications.id', 'versions.publication_id')
    .select(['versions.id', 'versions.publication_id', 'text_size', 'text_sha256'])
    .where('text_sha256', 'is not', null)
    .where('versions.id', '>', after)
    .where(isKept)
    .orderBy('versions.id')
    .limit(ROWS_PER_STEP)
    .execute()
  for (const { id, publication_id, text_size, text_sha256 } of rows)
    yield { key: textKey(id), size: Number(text_size), sha256: text_sha256!, at: id, subjectId: publication_id }
  if (rows.length === ROWS_PER_STEP) yield* recognizedTexts(db, rows[rows.length - 1].id)
}

/** The place of a page is its version and its number. */
async function* pageImages(db: Kysely<PublicationsTables>, from = ''): AsyncGenerator<NamedBlob> {
  const [begun = '', pageBegun = '0'] = from.split(' ')
  for await (const { id, publication_id } of versions(db, begun, '>=')) {
    for (let after = id === begun ? Number(pageBegun) : 0; ; ) {
      const rows = await db
        .selectFrom('pages')
        .select(['page', 'images', 'image_sums'])
        .where('version_id', '=', id)
        .where('page', '>', after)
        .orderBy('page')
        .limit(ROWS_PER_STEP)
        .execute()
      for (const { page, ...images } of rows)
        for (const [name, { size, sha256, isFound }] of Object.entries(readImages(images)))
          yield {
            key: imageKey(id, page, name),
            size,
            sha256,
            isSumFound: isFound,
            at: `${id} ${page}`,
            subjectId: publication_id,
          }
      if (rows.length < ROWS_PER_STEP) break
      after = rows[rows.length - 1].page
    }
  }
}

async function* versions(db: Kysely<PublicationsTables>, from: string, isFrom: '>' | '>=' = '>') {
  for (let after = from, compared = isFrom; ; compared = '>') {
    const rows = await db
      .selectFrom('versions')
      .innerJoin('publications', 'publications.id', 'versions.publication_id')
      .select(['versions.id', 'versions.publication_id', 'versions.blob_key', 'versions.size', 'versions.sha256'])
      .where('versions.id', compared, after)
      .where(isKept)
      .orderBy('versions.id')
      .limit(ROWS_PER_STEP)
      .execute()
    yield* rows
    if (rows.length < ROWS_PER_STEP) return
    after = rows[rows.length - 1].id
  }
}
