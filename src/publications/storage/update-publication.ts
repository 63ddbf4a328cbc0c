import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { searchText } from '../domain/search-text.ts'
import type { Statements } from '../domain/statements.ts'
import { slugIsTaken } from '../errors.ts'
import { announcePublication } from './publication-messages.ts'
import { lockPublication, nextUpdate } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'
import { takeSlug } from './take-slug.ts'

/** A publication as its owner identifies it. */
export type OwnedPublication = { workspaceId: string; slug: string }

/** Changes to a publication; absent members stay as they are. */
export type PublicationUpdate = { title?: string; slug?: string } & Partial<Statements>

/**
 * Changes the title, slug or statements of a publication. Its former slugs still lead
 * to it, and it may take one of them again.
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
    const { title, slug: newSlug, language, author, description } = { ...row, ...withoutAbsent(change) }
    const next = { title, slug: newSlug, language, author, description }
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

function withoutAbsent(change: PublicationUpdate): PublicationUpdate {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/**
 * Publishes or unpublishes a publication; nothing changes if it already is. Unpublishing increases the epoch, which is
 * part of every signed address and image address, so that the old ones never work again.
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
        epoch: isPublished ? row.epoch : row.epoch + 1,
        updated_at: nextUpdate(row, nowMs),
      })
      .where('id', '=', row.id)
      .execute()
    if (!isPublished) await announcePublication(transaction, 'publication.unpublished', row.id)
    return row.id
  })
}
