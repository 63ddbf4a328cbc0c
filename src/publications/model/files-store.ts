import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { BlobRange, BlobStore } from '#platform/blobs/blob-store.ts'
import { findBySlug } from './publication-rows.ts'
import { type Opened, type Reader, type ReadingRules, requireReadable } from './reading.ts'
import type { PublicationsTables } from './tables.ts'

/** A version's file as it is served, without the facts about its content. */
export type VersionFile = {
  publicationId: string
  title: string
  epoch: number
  rules: ReadingRules
  versionId: string
  blobKey: string
  size: number
  sha256: string
  pageCount: number
  /** The recognised text of a PDF made of images: bytes under `textKey` that follow those of the file. */
  text?: { size: number; sha256: string }
}

/** The folder of uploaded files and of additions to them, in the blob store. */
export const DOCUMENTS_FOLDER = 'documents/'

const TEXT_ENDING = '.text'

/** Returns the key of the recognised text of a version. */
export function textKey(versionId: string): string {
  return `${DOCUMENTS_FOLDER}${versionId}${TEXT_ENDING}`
}

/** Returns the version whose recognised text a key is of; undefined for another file. */
export function versionOfText(key: string): string | undefined {
  return key.endsWith(TEXT_ENDING) ? key.slice(DOCUMENTS_FOLDER.length, -TEXT_ENDING.length) : undefined
}

/** Files for readers, one cheap query each. Includes files of unpublished publications, but not of deleted ones. */
export type FilesStore = ReturnType<typeof createFilesStore>

export function createFilesStore(db: Kysely<PublicationsTables>, now: () => number) {
  return {
    /** Finds the latest file of the publication with this slug, current or former. */
    async findBySlug(slug: string): Promise<VersionFile | undefined> {
      const found = await findBySlug(db, slug)
      if (found === undefined) return undefined
      const { id: publicationId, title, epoch, size, sha256 } = found
      const { version_id: versionId, blob_key: blobKey, page_count: pageCount } = found
      return { publicationId, title, epoch, rules: rulesOf(found), versionId, blobKey, size, sha256, pageCount }
    },

    /** Finds the file of a version, even if another one has replaced it. */
    findByVersion: (versionId: string) => findVersion(db, versionId),

    /** Finds the file of a version that readers see, or saw within a day: their pages may still ask for images. */
    findForReaders: (versionId: string) => findVersion(db, versionId, now() - READ_AFTER_REPLACING_MS),
  }
}

/** Addresses of a file and its images are answered this long after another one has replaced it. */
export const READ_AFTER_REPLACING_MS = 24 * 3_600_000

/** Finds the file of a version, unless it was replaced for readers before `replacedSinceMs`. */
async function findVersion(
  db: Kysely<PublicationsTables>,
  versionId: string,
  replacedSinceMs?: number,
): Promise<VersionFile | undefined> {
  let query = db
    .selectFrom('versions')
    .innerJoin('publications', 'publications.id', 'versions.publication_id')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .select([
      'publications.id as publicationId',
      'publications.title',
      'publications.epoch',
      'publications.workspace_id',
      'publications.access',
      'publications.unpublished_at',
      'publications.published_at',
      'publications.publish_at',
      'publications.expires_at',
      'publications.password_hash',
      'publications.allow_download',
      'versions.id as versionId',
      'versions.blob_key as blobKey',
      'versions.size',
      'versions.sha256',
      'versions.page_count as pageCount',
      'versions.text_size',
      'versions.text_sha256',
    ])
    .where('versions.id', '=', versionId)
    .where('publications.deleted_at', 'is', null)
    // Publications of a deleted workspace are gone before their rows are.
    .where('workspaces.deleted_at', 'is', null)
    .where('versions.removed_at', 'is', null)
  if (replacedSinceMs !== undefined)
    query = query.where((where) =>
      where.or([
        where('versions.replaced_at', 'is', null),
        where('versions.replaced_at', '>=', replacedSinceMs),
        where('publications.shown_version_id', '=', where.ref('versions.id')),
      ]),
    )
  const found = await query.executeTakeFirst()
  if (found === undefined) return undefined
  const { text_size: size, text_sha256: sha256, ...file } = found
  return { ...file, rules: rulesOf(found), ...(sha256 && { text: { size: Number(size), sha256 } }) }
}

/** Returns the columns that decide who may read, without all others. */
function rulesOf(row: ReadingRules): ReadingRules {
  const { workspace_id, access, unpublished_at, published_at, publish_at, expires_at } = row
  const { password_hash, allow_download } = row
  return { workspace_id, access, unpublished_at, published_at, publish_at, expires_at, password_hash, allow_download }
}

/**
 * Returns the latest file of a publication that may be read, found by its slug or a former one.
 * @throws publicationNotFound, publicationUnpublished
 */
export async function getPublishedFile(files: FilesStore, slug: string, reader: Reader): Promise<VersionFile & Opened> {
  const file = await files.findBySlug(slug)
  const opened = await requireReadable(file?.publicationId, file?.rules, reader)
  return { ...file!, ...opened }
}

/** A PDF as readers get it. */
type WholePdf = {
  size: number
  etag: string
  /** Reads it, or the bytes of a range, from two files as if they were one; undefined if the file does not exist. */
  read(range?: BlobRange): Promise<Readable | undefined>
}

/** Returns the file of a version with the recognised text that follows it, if it was made of images. */
export function wholePdf(blobs: BlobStore, { blobKey, size, sha256, text, versionId }: VersionFile): WholePdf {
  if (text === undefined) return { size, etag: sha256, read: (range) => blobs.read(blobKey, range) }
  const whole = size + text.size
  return {
    size: whole,
    etag: `${sha256}-${text.sha256.slice(0, 16)}`,
    async read({ start, end } = { start: 0, end: whole - 1 }) {
      const readText = (from: number) => blobs.read(textKey(versionId), { start: from, end: end - size })
      if (end < size) return await blobs.read(blobKey, { start, end })
      if (start >= size) return await readText(start - size)
      const file = await blobs.read(blobKey, { start, end: size - 1 })
      return file && Readable.from(bothOf(file, () => readText(0)))
    },
  }
}

/** The text is opened when its turn comes: a download may take long. */
async function* bothOf(file: Readable, openText: () => Promise<Readable | undefined>): AsyncGenerator<Uint8Array> {
  yield* file
  const text = await openText()
  if (text === undefined) throw new Error('The recognised text of a PDF is missing')
  yield* text
}
