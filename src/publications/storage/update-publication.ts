import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { searchText } from '../domain/search-text.ts'
import { slugIsTaken } from '../errors.ts'
import { lockPublication, nextUpdate } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'
import { takeSlug } from './take-slug.ts'

/** A publication as its owner identifies it. */
export type OwnedPublication = { workspaceId: string; slug: string }

/** Changes to a publication; absent members stay as they are. */
export type PublicationUpdate = { title?: string; slug?: string }

/**
 * Changes the title or slug of a publication. Its former slugs still lead to it, and it may take one of them again.
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
    const next = { title: change.title ?? row.title, slug: change.slug ?? row.slug }
    if (next.title === row.title && next.slug === row.slug) return row.id
    if (!(await takeSlug(transaction, next.slug, { workspaceId, publicationId: row.id }))) throw slugIsTaken()
    await transaction
      .updateTable('publications')
      .set({ ...next, search_text: searchText(next.title, next.slug), updated_at: nextUpdate(row, nowMs) })
      .where('id', '=', row.id)
      .execute()
    return row.id
  })
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
    return row.id
  })
}
