import type { Kysely, Transaction } from 'kysely'
import { forgetAnswersAbout, type IdempotencyTables } from '#platform/database/idempotency.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { slugIsTaken } from '../errors.ts'
import { searchText, titleFromFile } from './fields.ts'
import { announceDeletion, announcePublication } from './publication-messages.ts'
import { lockPublication, nextUpdate, takeSlug } from './publication-rows.ts'
import type { Access } from './reading.ts'
import { changedStatements, type StatementChanges } from './statements.ts'
import type { PublicationRow, PublicationsTables } from './tables.ts'
import type { UploadsStore } from './uploads-store.ts'

/** A publication as its owner identifies it. */
export type OwnedPublication = { workspaceId: string; slug: string }

/** Changes to a publication; absent members stay as they are. */
export type PublicationUpdate = {
  title?: string
  title_from_file?: boolean | null
  slug?: string
  access?: Access | null
  allow_download?: boolean | null
} & StatementChanges

/**
 * Changes the title, slug or statements of a publication. Its former slugs still lead to it, and it may take one of
 * them again.
 * @returns its id
 * @throws publicationNotFound, slugIsTaken
 */
export async function updatePublication(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  change: PublicationUpdate,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const row = await lockPublication(transaction, workspaceId, slug)
    const next = {
      ...(await titleAfter(transaction, row, change)),
      slug: change.slug ?? row.slug,
      ...changedStatements(row, change),
      ...accessAfter(row, change),
      allow_download: downloadAfter(change.allow_download, row.allow_download ?? null),
    }
    if (Object.entries(next).every(([name, value]) => row[name as keyof typeof next] === value)) return row.id
    if (!(await takeSlug(transaction, next.slug, { workspaceId, publicationId: row.id }))) throw slugIsTaken()
    await transaction
      .updateTable('publications')
      .set({ ...next, search_text: searchText(next.title, next.slug), updated_at: nextUpdate(row, nowMs) })
      .where('id', '=', row.id)
      .execute()
    return row.id
  })
}

/** Returns the access after a change, and an epoch that ends every address issued under another one. */
function accessAfter(row: PublicationRow, { access }: PublicationUpdate): Pick<PublicationRow, 'access' | 'epoch'> {
  const isChanged = access != null && access !== (row.access ?? 'public')
  return isChanged ? { access, epoch: row.epoch + 1 } : { access: row.access, epoch: row.epoch }
}

/** Returns whether readers get the PDF, as it is stored: null unless a publisher has refused it. */
export function downloadAfter(given: boolean | null | undefined, before: number | null): number | null {
  if (given == null) return before
  return given ? null : 0
}

/** Returns the title after a change. A file that states none leaves the given title, or else the one before. */
async function titleAfter(
  transaction: Transaction<PublicationsTables>,
  row: PublicationRow,
  { title = row.title, title_from_file }: PublicationUpdate,
): Promise<Pick<PublicationRow, 'title' | 'title_from_file'>> {
  if (title_from_file === true) {
    const facts = await transaction
      .selectFrom('versions')
      .select('facts')
      .where('id', '=', row.version_id)
      .executeTakeFirstOrThrow()
    return { title: titleFromFile(JSON.parse(facts.facts).metadata?.title, title), title_from_file: 1 }
  }
  const isKept = title_from_file == null && title === row.title
  return { title, title_from_file: isKept ? row.title_from_file : null }
}

/**
 * Publishes or unpublishes a publication; nothing changes if it already is, or is a draft. Unpublishing increases the
 * epoch, which is part of every signed address and image address, so that the old ones never work again.
 * @returns its id
 * @throws publicationNotFound
 */
export async function setPublished(
  db: Kysely<PublicationsTables>,
  { workspaceId, slug }: OwnedPublication,
  isPublished: boolean,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const row = await lockPublication(transaction, workspaceId, slug)
    if ((row.unpublished_at === null) === isPublished) return row.id
    await transaction
      .updateTable('publications')
      .set({
        unpublished_at: isPublished ? null : nowMs,
        published_at: row.published_at ?? (isPublished ? nowMs : row.created_at),
        epoch: isPublished ? row.epoch : row.epoch + 1,
        updated_at: nextUpdate(row, nowMs),
      })
      .where('id', '=', row.id)
      .execute()
    if (!isPublished) await announcePublication(transaction, 'publication.unpublished', row.id)
    return row.id
  })
}

/**
 * Deletes a publication: it is no longer found, its uploads are removed and their paths free. Its slugs stay reserved
 * for new publications of the same workspace.
 * @returns its id
 * @throws publicationNotFound
 */
export async function deletePublication(
  db: Kysely<PublicationsTables>,
  uploads: UploadsStore,
  { workspaceId, slug }: OwnedPublication,
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    const { id } = await lockPublication(transaction, workspaceId, slug)
    await transaction.updateTable('publications').set({ deleted_at: nowMs }).where('id', '=', id).execute()
    await transaction.updateTable('versions').set({ has_work: 0 }).where('publication_id', '=', id).execute()
    await transaction.updateTable('slugs').set({ publication_id: null }).where('publication_id', '=', id).execute()
    const storageKeys = await uploads.removeByPublication(transaction, id)
    const answers = transaction as unknown as Transaction<IdempotencyTables>
    await forgetAnswersAbout(answers, workspaceId, [id, ...storageKeys])
    await announceDeletion(transaction, { workspaceId, id }, nowMs)
    return id
  })
}
