import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { nextUpdate } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { DocumentFacts } from './document-content.ts'
import { nothingUploaded, uploadIsUsed, uploadNotFound, versionIsInUse, versionNotFound } from './errors.ts'
import { searchText, titleFromFile } from './fields.ts'
import type { OwnedPublication } from './publication-edits.ts'
import { announcePublication } from './publication-json.ts'
import { lockPublication } from './publication-rows.ts'
import {
  CONTENT_FORM,
  type PublicationRow,
  type PublicationsTables,
  type UploadRow,
  type VersionRow,
} from './tables.ts'

/** An inspected upload that becomes the file of a publication. */
export type NewFile = { storageKey: string; size: number; sha256: string; facts: DocumentFacts }

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
    const before = await replaceLatest(transaction, row, nowMs)
    const version = newVersion(upload, facts, { publicationId: row.id, number: before.number + 1, nowMs })
    await transaction.insertInto('versions').values(version).execute()
    await showVersion(
      transaction,
      row,
      { id: version.id, facts, isReady: false, wasReady: before.status === 'ready' },
      nowMs,
    )
    return row.id
  })
}

/** Notes down when the latest version is replaced. @returns its number and status */
async function replaceLatest(transaction: Transaction<PublicationsTables>, row: PublicationRow, nowMs: number) {
  return await transaction
    .updateTable('versions')
    .set({ replaced_at: nowMs })
    .where('id', '=', row.version_id)
    .returning(['number', 'status'])
    .executeTakeFirstOrThrow()
}

/** Makes a version the latest of its publication. Readers see the last ready one until it is ready. */
async function showVersion(
  transaction: Transaction<PublicationsTables>,
  row: PublicationRow,
  { id, facts, isReady, wasReady }: { id: string; facts: DocumentFacts; isReady: boolean; wasReady: boolean },
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('publications')
    .set({
      ...(row.title_from_file === 1 && titleOf(facts, row)),
      version_id: id,
      shown_version_id: isReady ? null : wasReady ? row.version_id : row.shown_version_id,
      updated_at: nextUpdate(row, nowMs),
    })
    .where('id', '=', row.id)
    .execute()
}

/**
 * Goes back to a former version, which becomes the latest under the next number: whatever compares numbers takes it for
 * a new file, and its images stay. Nothing changes if it is the latest already.
 * @returns the id of the publication
 * @throws publicationNotFound, versionNotFound
 */
export async function goBack(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  versionId: string,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const row = await lockPublication(transaction, workspaceId, slug)
    const { status, facts } = await keptVersion(transaction, row.id, versionId)
    if (versionId === row.version_id) return row.id
    const before = await replaceLatest(transaction, row, nowMs)
    await transaction
      .updateTable('versions')
      .set({ number: before.number + 1, replaced_at: null })
      .where('id', '=', versionId)
      .execute()
    const isReady = status === 'ready'
    const shown = {
      id: versionId,
      facts: JSON.parse(facts) as DocumentFacts,
      isReady,
      wasReady: before.status === 'ready',
    }
    await showVersion(transaction, row, shown, nowMs)
    if (status !== 'processing') await announcePublication(transaction, `publication.${status}`, row.id)
    return row.id
  })
}

/**
 * Begins the removal of a former version: from now on nobody reads it or goes back to it.
 * @throws publicationNotFound, versionNotFound, versionIsInUse
 */
export async function discardVersion(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  versionId: string,
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const row = await lockPublication(transaction, workspaceId, slug)
    await keptVersion(transaction, row.id, versionId)
    if (versionId === row.version_id || versionId === row.shown_version_id) throw versionIsInUse()
    await transaction
      .updateTable('versions')
      .set({ removed_at: nowMs, has_work: 0 })
      .where('id', '=', versionId)
      .execute()
  })
}

async function keptVersion(transaction: Transaction<PublicationsTables>, publicationId: string, versionId: string) {
  const version = await transaction
    .selectFrom('versions')
    .select(['status', 'facts'])
    .where('id', '=', versionId)
    .where('publication_id', '=', publicationId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (version === undefined) throw versionNotFound()
  return version
}

/** A version as its publisher sees it. */
export type ListedVersion = Awaited<ReturnType<typeof listVersions>>[number]

/** Returns the versions of a publication that are kept, the latest first. */
export async function listVersions(db: Kysely<PublicationsTables>, publicationId: string) {
  return await db
    .selectFrom('versions')
    .select(['id', 'number', 'sha256', 'size', 'page_count', 'status', 'facts', 'created_at', 'replaced_at'])
    .where('publication_id', '=', publicationId)
    .where('removed_at', 'is', null)
    .orderBy('number', 'desc')
    .execute()
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
    content_form: CONTENT_FORM,
  }
}

/** An upload with its file in the blob store. */
type StoredUpload = UploadRow & { blob_key: string; size: number; sha256: string }

/**
 * Returns the upload with its file, if no publication uses it yet.
 * @throws nothingUploaded, uploadNotFound, or uploadIsUsed with the `slug` of the publication
 */
export async function requireUnused(db: Kysely<PublicationsTables>, upload: UploadRow): Promise<StoredUpload> {
  const { blob_key, size, sha256 } = upload
  if (blob_key === null || size === null || sha256 === null) throw nothingUploaded()
  if (upload.publication_id === null) return { ...upload, blob_key, size, sha256 }
  const holder = await db
    .selectFrom('publications')
    .select(['slug', 'deleted_at'])
    .where('id', '=', upload.publication_id)
    .executeTakeFirst()
  // The upload of a publication in the bin counts as removed with it.
  if (holder !== undefined && holder.deleted_at !== null) throw uploadNotFound()
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
