import type { Kysely, Transaction } from 'kysely'
import { forgetAnswersAbout, type IdempotencyTables } from '#platform/database/idempotency.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { announceDeletion } from './publication-messages.ts'
import { lockPublication } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'
import type { OwnedPublication } from './update-publication.ts'
import type { UploadsStore } from './uploads-store.ts'

/**
 * Deletes a publication: it is no longer found, its uploads are removed and their paths free. Its slugs stay reserved
 * for new publications of the same workspace.
 * @returns its id
 * @throws publicationNotFound
 */
export async function deletePublication(
  db: Kysely<PublicationsTables>,
  uploads: Pick<UploadsStore, 'removeOfPublication'>,
  { workspaceId, slug }: OwnedPublication,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const { id } = await lockPublication(transaction, workspaceId, slug)
    await transaction.updateTable('publications').set({ deleted_at: nowMs }).where('id', '=', id).execute()
    await transaction.updateTable('versions').set({ has_work: 0 }).where('publication_id', '=', id).execute()
    await transaction.updateTable('slugs').set({ publication_id: null }).where('publication_id', '=', id).execute()
    const storageKeys = await uploads.removeOfPublication(transaction, id)
    const answers = transaction as unknown as Transaction<IdempotencyTables>
    await forgetAnswersAbout(answers, workspaceId, [id, ...storageKeys])
    await announceDeletion(transaction, { workspaceId, id }, nowMs)
    return id
  })
}
