import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { claimUpload } from './claim-upload.ts'
import { newVersion } from './new-version.ts'
import { lockPublication, nextUpdate } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'
import type { OwnedPublication } from './update-publication.ts'

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
        version_id: version.id,
        shown_version_id: before.status === 'ready' ? row.version_id : row.shown_version_id,
        updated_at: nextUpdate(row, nowMs),
      })
      .where('id', '=', row.id)
      .execute()
    return row.id
  })
}
