import type { Kysely, Transaction } from 'kysely'
import { publicationNotFound } from './errors.ts'
import { firstFreeNumber, isReservedSlug, isSlug, numberedSlug } from './slug.ts'
import type { PublicationRow, PublicationsTables, VersionRow } from './tables.ts'

/** A publication with its latest version, which the API describes; `facts` are read separately. */
export type Publication = PublicationRow &
  Pick<
    VersionRow,
    'status' | 'page_count' | 'pages_ready' | 'pages_recognized' | 'failure' | 'size' | 'sha256' | 'blob_key'
  > & {
    /** The host name of its workspace; null without one, and absent in the drafts of messages of former versions. */
    domain?: string | null
  }

/** Selects publications that are not deleted, each with its latest version. */
export function selectPublications(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('publications')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .innerJoin('versions', 'versions.id', 'publications.version_id')
    .leftJoin('workspace_domains', 'workspace_domains.workspace_id', 'publications.workspace_id')
    .where('publications.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .selectAll('publications')
    .select([
      'workspace_domains.domain',
      'versions.status',
      'versions.page_count',
      'versions.pages_ready',
      'versions.pages_recognized',
      'versions.failure',
      'versions.size',
      'versions.sha256',
      'versions.blob_key',
    ])
}

/** Finds the publication with a current or former slug. */
export async function findBySlug(db: Kysely<PublicationsTables>, slug: string): Promise<Publication | undefined> {
  if (!isSlug(slug)) return undefined
  return await selectPublications(db)
    .innerJoin('slugs', 'slugs.publication_id', 'publications.id')
    .where('slugs.slug', '=', slug)
    .executeTakeFirst()
}

/** Returns a publication by its id. @throws publicationNotFound if it has been deleted */
export async function getById(db: Kysely<PublicationsTables>, id: string): Promise<Publication> {
  const found = await selectPublications(db).where('publications.id', '=', id).executeTakeFirst()
  if (found === undefined) throw publicationNotFound()
  return found
}

/**
 * Locks a publication of a workspace until the transaction ends.
 * @throws publicationNotFound, also for a publication of another workspace
 */
export async function lockPublication(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
  slug: string,
): Promise<PublicationRow> {
  if (!isSlug(slug)) throw publicationNotFound()
  const held = await transaction
    .selectFrom('slugs')
    .select('publication_id')
    .where('slug', '=', slug)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (held === undefined || held.publication_id === null) throw publicationNotFound()
  const row = await transaction
    .selectFrom('publications')
    .selectAll()
    .where('id', '=', held.publication_id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw publicationNotFound()
  return row
}

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
