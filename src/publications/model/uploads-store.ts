import type { Kysely, Transaction } from 'kysely'
import { isUuid } from '#platform/basics/text.ts'
import type { PartialBlob } from '#platform/blobs/partial-blobs.ts'
import { countRows } from '#platform/database/queries.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { bytesQuotaReached, keyInvalid, pathIsTaken, tooManyTickets } from './errors.ts'
import { textKey, versionOfText } from './files-store.ts'
import type { PublicationsTables, UploadRow } from './tables.ts'
import { hasRoom, lockQuotas } from './workspaces-store.ts'

/** A ticket as it is issued. */
export type NewTicket = Pick<UploadRow, 'storage_key' | 'workspace_id' | 'path' | 'created_at' | 'expires_at'>

/** A complete file in the blob store. */
export type UploadedFile = { blobKey: string; size: number; sha256: string }

/** `no room`: beyond the workspace's limit. `gone`: the ticket or its workspace was removed meanwhile. */
type Acknowledgement = 'stored' | 'used' | 'path taken' | 'no room' | 'gone'

/** Times before which the ticket of an unused or an unpublished upload must have expired. */
type ExpiryLimits = { unusedBeforeMs: number; unpublishedBeforeMs: number }

/** Tickets of a workspace that may be outstanding: a batch of uploads, and far fewer than fill the database. */
const MAX_TICKETS = 10_000

/** Columns of an upload to which nothing has been appended. */
const NOTHING_APPENDED = {
  upload_length: null,
  upload_offset: null,
  upload_writer: null,
  partial: null,
  resumable_until: null,
}

/** A request that appends to an upload. */
export type UploadWriter = { storageKey: string; writer: string }

/** Upload tickets, their files, and the paths of a workspace that hold a file. */
export type UploadsStore = ReturnType<typeof createUploadsStore>

export function createUploadsStore(db: Kysely<PublicationsTables>) {
  return {
    /** @throws pathIsTaken if the path already holds a file, keyInvalid if the workspace is gone */
    create: createTicket,

    /** Finds an upload of this workspace; undefined for one of another, and for text that cannot be a storage key. */
    async find(workspaceId: string, storageKey: string): Promise<UploadRow | undefined> {
      if (!isUuid(storageKey)) return undefined
      return await db
        .selectFrom('uploads')
        .selectAll()
        .where('storage_key', '=', storageKey)
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
    },

    /** Finds the upload of a signed address, unless its workspace is gone. */
    async findByTicket(storageKey: string): Promise<UploadRow | undefined> {
      return await db
        .selectFrom('uploads')
        .innerJoin('workspaces', 'workspaces.id', 'uploads.workspace_id')
        .selectAll('uploads')
        .where('storage_key', '=', storageKey)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },

    /** Returns the storage key of the file that a path of a workspace holds. */
    pathHolder: (workspaceId: string, path: string) => findPathHolder(db, workspaceId, path),
    /** Tells whether so many further bytes are within the workspace's limit at the moment. */
    async hasRoom(workspaceId: string, bytes: number): Promise<boolean> {
      const quotas = await db
        .selectFrom('workspaces')
        .select(['id', 'max_bytes', 'max_publications'])
        .where('id', '=', workspaceId)
        .executeTakeFirst()
      return quotas === undefined || (await hasRoom(db, quotas, bytes))
    },

    /** Marks the ticket as used and its path as taken. Of concurrent uploads, one is `stored`. */
    acknowledge: (storageKey: string, file: UploadedFile, nowMs: number) =>
      inTransaction(db, (transaction) => acknowledgeUpload(transaction, storageKey, file, nowMs)),
    /**
     * Makes a request the only one that appends to an upload, in place of any other.
     * @returns undefined if the upload is complete, has another size, or another number of synced bytes
     */
    beginAppend: (writer: UploadWriter, append: NewAppend) =>
      inTransaction(db, (transaction) => beginAppend(transaction, writer, append)),

    /** Stores the synced bytes of an upload. @returns false if another request has taken over */
    async recordAppend({ storageKey, writer }: UploadWriter, partial: PartialBlob): Promise<boolean> {
      const recorded = await db
        .updateTable('uploads')
        .set({ partial: JSON.stringify(partial), upload_offset: partial.size })
        .where('storage_key', '=', storageKey)
        .where('upload_writer', '=', writer)
        .returning('storage_key')
        .executeTakeFirst()
      return recorded !== undefined
    },

    /** Ends a request that appends nothing more. `isRefused` forgets its bytes, and the upload begins again. */
    async endAppend({ storageKey, writer }: UploadWriter, isRefused: boolean): Promise<void> {
      await db
        .updateTable('uploads')
        .set(isRefused ? NOTHING_APPENDED : { upload_writer: null })
        .where('storage_key', '=', storageKey)
        .where('upload_writer', '=', writer)
        .execute()
    },

    /**
     * Removes the uploads of a publication and frees their paths; the caller removes the blobs.
     * @returns their storage keys
     */
    removeByPublication: removePublicationUploads,

    /**
     * Removes unused tickets, and uploads of which no publication was made, whose paths
     * become free. The sweep removes their files.
     * @returns their number
     */
    removeExpired: (limits: ExpiryLimits) =>
      inTransaction(db, (transaction) => removeExpiredUploads(transaction, limits)),

    /** Returns the given blobs that are the file of an upload or of a version, or its recognised text. */
    knownBlobs: (blobKeys: readonly string[]) => findKnownBlobs(db, blobKeys),
  }
}

async function createTicket(transaction: Transaction<PublicationsTables>, ticket: NewTicket): Promise<void> {
  const quotas = await lockQuotas(transaction, ticket.workspace_id)
  if (quotas === undefined) throw keyInvalid()
  // A further byte has to fit. How many there will be is known when they arrive.
  if (!(await hasRoom(transaction, quotas, 1))) throw bytesQuotaReached()
  await requireFewTickets(transaction, ticket)
  if ((await findPathHolder(transaction, ticket.workspace_id, ticket.path)) !== undefined) throw pathIsTaken()
  await transaction.insertInto('uploads').values(ticket).execute()
}

async function findPathHolder(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  path: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('stored_paths')
    .select('storage_key')
    .where('workspace_id', '=', workspaceId)
    .where('path', '=', path)
    .executeTakeFirst()
  return row?.storage_key
}

/** The bytes and the size of an upload, and whether another request may still be appending. */
export type BegunAppend = { partial: PartialBlob | undefined; length: number | undefined; isTakenOver: boolean }

type NewAppend = { offset: number; length: number | undefined; resumableUntilMs: number }

async function beginAppend(
  transaction: Transaction<PublicationsTables>,
  { storageKey, writer }: UploadWriter,
  { offset, length, resumableUntilMs }: NewAppend,
): Promise<BegunAppend | undefined> {
  const upload = await transaction
    .selectFrom('uploads')
    .select(['blob_key', 'upload_length', 'upload_offset', 'upload_writer', 'partial', 'resumable_until'])
    .where('storage_key', '=', storageKey)
    .forUpdate()
    .executeTakeFirst()
  if (upload === undefined || upload.blob_key !== null || (upload.upload_offset ?? 0) !== offset) return undefined
  const whole = upload.upload_length ?? length
  if (length !== undefined && whole !== length) return undefined
  await transaction
    .updateTable('uploads')
    .set({
      upload_writer: writer,
      upload_length: whole ?? null,
      resumable_until: upload.resumable_until ?? resumableUntilMs,
    })
    .where('storage_key', '=', storageKey)
    .execute()
  const partial = upload.partial === null ? undefined : (JSON.parse(upload.partial) as PartialBlob)
  return { partial, length: whole, isTakenOver: upload.upload_writer !== null }
}

async function acknowledgeUpload(
  transaction: Transaction<PublicationsTables>,
  storageKey: string,
  file: UploadedFile,
  nowMs: number,
): Promise<Acknowledgement> {
  const ticket = await transaction
    .selectFrom('uploads')
    .select(['workspace_id', 'path', 'blob_key'])
    .where('storage_key', '=', storageKey)
    // Concurrent uploads with one ticket are acknowledged one after the other.
    .forUpdate()
    .executeTakeFirst()
  const quotas = ticket && (await lockQuotas(transaction, ticket.workspace_id))
  if (ticket === undefined || quotas === undefined) return 'gone'
  if (ticket.blob_key !== null) return 'used'
  if (!(await hasRoom(transaction, quotas, file.size))) return 'no room'
  const { workspace_id, path } = ticket
  const taken = await transaction
    .insertInto('stored_paths')
    .values({ workspace_id, path, storage_key: storageKey })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'path']).doNothing())
    .returning('path')
    .executeTakeFirst()
  if (taken === undefined) return 'path taken'
  await transaction
    .updateTable('uploads')
    .set({ blob_key: file.blobKey, size: file.size, sha256: file.sha256, uploaded_at: nowMs })
    .set({ upload_writer: null, partial: null })
    .where('storage_key', '=', storageKey)
    .execute()
  return 'stored'
}

/**
 * Bounds the tickets that are neither used nor expired. A limit against floods, so that a few more may pass at the same
 * time.
 */
async function requireFewTickets(transaction: Transaction<PublicationsTables>, ticket: NewTicket): Promise<void> {
  const outstanding = transaction.selectFrom((uploads) =>
    uploads
      .selectFrom('uploads')
      .select('storage_key')
      .where('workspace_id', '=', ticket.workspace_id)
      .where('blob_key', 'is', null)
      .where('expires_at', '>', ticket.created_at)
      .limit(MAX_TICKETS)
      .as('outstanding'),
  )
  if ((await countRows(outstanding)) >= MAX_TICKETS) throw tooManyTickets({ retryAfterSec: 60 })
}

async function removePublicationUploads(
  transaction: Transaction<PublicationsTables>,
  publicationId: string,
): Promise<string[]> {
  const uploads = await transaction
    .deleteFrom('uploads')
    .where('publication_id', '=', publicationId)
    .returning(['workspace_id', 'path', 'storage_key'])
    .execute()
  await freePaths(transaction, uploads)
  return uploads.map(({ storage_key }) => storage_key)
}

async function removeExpiredUploads(
  transaction: Transaction<PublicationsTables>,
  { unusedBeforeMs, unpublishedBeforeMs }: ExpiryLimits,
): Promise<number> {
  const removed = await transaction
    .deleteFrom('uploads')
    .where('expires_at', '<', unusedBeforeMs)
    .where('publication_id', 'is', null)
    .where((or) => or.or([or('blob_key', 'is', null), or('expires_at', '<', unpublishedBeforeMs)]))
    .returning(['workspace_id', 'path', 'storage_key', 'blob_key'])
    .execute()
  await freePaths(
    transaction,
    removed.filter(({ blob_key }) => blob_key !== null),
  )
  return removed.length
}

/** Frees the paths that uploads hold. */
export async function freePaths(
  transaction: Transaction<PublicationsTables>,
  uploads: readonly Pick<UploadRow, 'workspace_id' | 'path' | 'storage_key'>[],
): Promise<void> {
  for (const { workspace_id, path, storage_key } of uploads) {
    await transaction
      .deleteFrom('stored_paths')
      .where('workspace_id', '=', workspace_id)
      .where('path', '=', path)
      .where('storage_key', '=', storage_key)
      .execute()
  }
}

async function findKnownBlobs(db: Kysely<PublicationsTables>, blobKeys: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const table of ['uploads', 'versions'] as const) {
    // A version's file nearly always belongs to an upload, too, which an index finds.
    const unknown = blobKeys.filter((key) => !known.has(key))
    if (unknown.length === 0) break
    const rows = await db.selectFrom(table).select('blob_key').where('blob_key', 'in', unknown).execute()
    for (const { blob_key } of rows) known.add(blob_key!)
  }
  const withText = blobKeys.flatMap((key) => versionOfText(key) ?? [])
  if (withText.length === 0) return known
  const versions = db.selectFrom('versions').select('id').where('id', 'in', withText)
  for (const { id } of await versions.where('text_sha256', 'is not', null).execute()) known.add(textKey(id))
  return known
}
