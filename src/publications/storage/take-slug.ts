import type { Transaction } from 'kysely'
import { firstFreeNumber, isReservedSlug, numberedSlug } from '../domain/slug.ts'
import type { PublicationsTables } from './tables.ts'

/** The publication that takes a slug. */
type SlugOwner = { workspaceId: string; publicationId: string }

/**
 * Assigns a slug to a publication permanently. Returns false if it is or was another publication's, unless that one was
 * deleted and belonged to the same workspace: an old address never leads to someone else's publication.
 * If another transaction is taking the slug, this one waits for its outcome.
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

/** Takes the slug, or the first of `-2`, `-3`, … that is available and not an address of the API. */
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
  if (isReservedSlug(slug)) return true
  const row = await transaction.selectFrom('slugs').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row !== undefined && (row.publication_id !== null || row.workspace_id !== workspaceId)
}
