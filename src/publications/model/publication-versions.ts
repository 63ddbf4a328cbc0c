import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { nothingUploaded, uploadIsUsed, uploadNotFound } from '../errors.ts'
import type { DocumentFacts } from './document-content.ts'
import { searchText, titleFromFile } from './fields.ts'
import type { OwnedPublication } from './publication-edits.ts'
import { lockPublication, nextUpdate } from './publication-rows.ts'
import type { PublicationRow, PublicationsTables, UploadRow, VersionRow } from './tables.ts'

/** An inspected upload that becomes the file of a publication. */
export type NewFile = { storageKey: string; facts: DocumentFacts }

/**
 * Replaces the file of a publication by a new version. The public page shows the last
 * ready version until the new one is ready.
 * @returns its id
 * @throws publicationNotFound, and the errors of `claimUpload`
 */
export async function replaceFile(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  { storageKey, facts }: NewFile,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const row = await lockPublication(transaction, workspaceId, slug)
    const upload = await claimUpload(transaction, storageKey, row.id)
    const before = await transaction
      .updateTable('versions')
      .set({ replaced_at: nowMs })
      .where('id', '=', row.version_id)
      .returning(['number', 'status'])
      .executeTakeFirstOrThrow()
    const version = newVersion(upload, facts, { publicationId: row.id, number: before.number + 1, nowMs })
    await transaction.insertInto('versions').values(version).execute()
    await transaction
      .updateTable('publications')
      .set({
        ...(row.title_from_file === 1 && titleOf(facts, row)),
        version_id: version.id,
        shown_version_id: before.status === 'ready' ? row.version_id : row.shown_version_id,
        updated_at: nextUpdate(row, nowMs),
      })
      .where('id', '=', row.id)
      .execute()
    return row.id
  })
}

function titleOf({ metadata }: DocumentFacts, { title: before, slug }: PublicationRow) {
  const title = titleFromFile(metadata?.title, before)
  return { title, search_text: searchText(title, slug) }
}

/** Returns the row of a new version, which is also the job of rendering it. */
export function newVersion(
  upload: StoredUpload,
  facts: DocumentFacts,
  { publicationId, number, nowMs }: { publicationId: string; number: number; nowMs: number },
): VersionRow {
  return {
    id: randomUUID(),
    publication_id: publicationId,
    number,
    storage_key: upload.storage_key,
    blob_key: upload.blob_key,
    size: upload.size,
    sha256: upload.sha256,
    page_count: facts.pageCount,
    facts: JSON.stringify(facts),
    status: 'processing',
    pages_ready: 0,
    failure: null,
    has_work: 1,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    created_at: nowMs,
    replaced_at: null,
  }
}

/** An upload with its file in the blob store. */
type StoredUpload = UploadRow & { blob_key: string; size: number; sha256: string }

/**
 * Returns the upload with its file, if no publication uses it yet.
 * @throws nothingUploaded, or uploadIsUsed with the `slug` of the publication
 */
export async function requireUnused(db: Kysely<PublicationsTables>, upload: UploadRow): Promise<StoredUpload> {
  const { blob_key, size, sha256 } = upload
  if (blob_key === null || size === null || sha256 === null) throw nothingUploaded()
  if (upload.publication_id === null) return { ...upload, blob_key, size, sha256 }
  const holder = await db
    .selectFrom('publications')
    .select('slug')
    .where('id', '=', upload.publication_id)
    .executeTakeFirst()
  throw uploadIsUsed({ members: { slug: holder?.slug ?? null } })
}

/**
 * Makes an upload the file of a publication; of concurrent claims the first succeeds.
 * @throws uploadNotFound if it was removed meanwhile, and the errors of `requireUnused`
 */
export async function claimUpload(
  transaction: Transaction<PublicationsTables>,
  storageKey: string,
  publicationId: string,
): Promise<StoredUpload> {
  const row = await transaction
    .selectFrom('uploads')
    .selectAll()
    .where('storage_key', '=', storageKey)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw uploadNotFound()
  const upload = await requireUnused(transaction, row)
  await transaction
    .updateTable('uploads')
    .set({ publication_id: publicationId })
    .where('storage_key', '=', storageKey)
    .execute()
  return upload
}
