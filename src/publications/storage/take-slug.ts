import type { Transaction } from 'kysely'
import { firstFreeNumber, numberedSlug } from '../domain/slug.ts'
import type { PublicationsTables } from './tables.ts'

/** Whose a slug becomes. */
export type SlugOwner = { workspaceId: string; publicationId: string }

/**
 * Makes a slug a publication's, for good. False where it is or was another publication's, unless that one has been
 * deleted and was of the same workspace: an old address never leads to what someone else has made.
 * Where another transaction is just taking it, this waits for what becomes of that.
 */
export async function takeSlug(
  transaction: Transaction<PublicationsTables>,
  slug: string,
  { workspaceId, publicationId }: SlugOwner,
): Promise<boolean> {
  const taken = await transaction
    .insertInto('slugs')
    .values({ slug, workspace_id: workspaceId, publication_id: publicationId })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet({ publication_id: publicationId })
        .where('slugs.workspace_id', '=', workspaceId)
        .where((or) => or.or([or('slugs.publication_id', 'is', null), or('slugs.publication_id', '=', publicationId)])),
    )
    .returning('slug')
    .executeTakeFirst()
  return taken !== undefined
}

/** Takes the slug, or the first of `-2`, `-3`, … that can be had. */
export async function takeNumberedSlug(
  transaction: Transaction<PublicationsTables>,
  wanted: string,
  owner: SlugOwner,
): Promise<string> {
  for (;;) {
    const number = await firstFreeNumber((candidate) => isTaken(transaction, numberedSlug(wanted, candidate), owner))
    const slug = numberedSlug(wanted, number)
    if (await takeSlug(transaction, slug, owner)) return slug
  }
}

async function isTaken(
  transaction: Transaction<PublicationsTables>,
  slug: string,
  { workspaceId }: SlugOwner,
): Promise<boolean> {
  const row = await transaction.selectFrom('slugs').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row !== undefined && (row.publication_id !== null || row.workspace_id !== workspaceId)
}
