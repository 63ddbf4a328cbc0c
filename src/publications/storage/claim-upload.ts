import type { Kysely, Transaction } from 'kysely'
import { nothingUploaded, uploadIsUsed, uploadNotFound } from '../errors.ts'
import type { PublicationsTables, UploadRow } from './tables.ts'

/** An upload with its file in the blob store. */
export type StoredUpload = UploadRow & { blob_key: string; size: number; sha256: string }

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
