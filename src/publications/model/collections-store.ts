import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import { invalidFields } from '#platform/basics/errors.ts'
import { isUuid } from '#platform/basics/text.ts'
import { nextUpdate } from '#platform/basics/time.ts'
import { caseOf } from '#platform/database/queries.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { collectionNotFound, collectionSlugIsTaken, tooManyCollections, workspaceNotFound } from './errors.ts'
import { listed } from './public-page-store.ts'
import { firstFreeNumber, isSlug, numberedSlug, slugOf } from './slug.ts'
import type { CollectionRow, PublicationsTables } from './tables.ts'
import { lockWorkspace } from './workspaces-store.ts'

/** Collections of a workspace: each is a group of covers on its shelf. */
const MAX_COLLECTIONS = 100

/** A collection with the numbers of its publications, and of the publications on its shelf. */
type CountedCollection = CollectionRow & { publications: number; shelved: number }

/** The fields of a collection that its workspace sets; absent ones stay, or are chosen. */
type CollectionChange = { name?: string; slug?: string; position?: number }

/** Collections of publications of a workspace, in its order. A publication is in one of them at most. */
export type CollectionsStore = ReturnType<typeof createCollectionsStore>

export function createCollectionsStore(db: Kysely<PublicationsTables>, now: () => number) {
  return {
    list: (workspaceId: string) => listCounted(db, workspaceId, now()),

    /** Finds the collection of a workspace with a current or former slug. */
    async findBySlug(workspaceId: string, slug: string): Promise<CollectionRow | undefined> {
      if (!isSlug(slug)) return undefined
      return await db
        .selectFrom('collections')
        .innerJoin('collection_slugs', 'collection_slugs.collection_id', 'collections.id')
        .where('collection_slugs.workspace_id', '=', workspaceId)
        .where('collection_slugs.slug', '=', slug)
        .selectAll('collections')
        .executeTakeFirst()
    },

    create: (workspaceId: string, fields: { name: string; slug?: string }) =>
      createCollection(db, workspaceId, fields, now()),
    change: (workspaceId: string, id: string, change: CollectionChange) =>
      changeCollection(db, { workspaceId, id }, change, now()),

    /** Deletes a collection with its slugs; its publications stay. @throws collectionNotFound */
    async delete(workspaceId: string, id: string): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await lockCollection(transaction, workspaceId, id)
        await transaction
          .updateTable('publications')
          .set({ collection_id: null })
          .where('workspace_id', '=', workspaceId)
          .where('collection_id', '=', id)
          .execute()
        await transaction
          .deleteFrom('collection_slugs')
          .where('workspace_id', '=', workspaceId)
          .where('collection_id', '=', id)
          .execute()
        await transaction.deleteFrom('collections').where('id', '=', id).execute()
      })
    },
  }
}

/** Selects publications of a collection; for null, of none. PostgreSQL takes no value after `is`. */
export function inCollection(id: string | null) {
  return (where: ExpressionBuilder<PublicationsTables, 'publications'>) =>
    id === null ? where('publications.collection_id', 'is', null) : where('publications.collection_id', '=', id)
}

/**
 * Holds the collection that a publication is put into until the transaction ends. To be called before the publication
 * is locked, as a deletion of the collection locks it first as well.
 * @throws badRequest if the workspace has no such collection
 */
export async function holdCollection(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id == null) return
  const row = await transaction
    .selectFrom('collections')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forShare()
    .executeTakeFirst()
  if (row === undefined)
    throw invalidFields([{ path: 'collection_id', message: 'must be the id of a collection of the workspace' }])
}

async function listCounted(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  nowMs: number,
): Promise<CountedCollection[]> {
  const rows = await db
    .selectFrom('collections')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const [publications, shelved] = await Promise.all([
    countsOf(db.selectFrom('publications').where('publications.deleted_at', 'is', null), workspaceId),
    countsOf(listed(db, nowMs), workspaceId),
  ])
  return rows.map((row) => ({
    ...row,
    publications: publications.get(row.id) ?? 0,
    shelved: shelved.get(row.id) ?? 0,
  }))
}

/** Counts selected publications of a workspace by their collections. */
async function countsOf(
  selected: { where: ReturnType<typeof listed>['where'] },
  workspaceId: string,
): Promise<Map<string, number>> {
  const rows = await selected
    .where('publications.workspace_id', '=', workspaceId)
    .where('publications.collection_id', 'is not', null)
    .select(({ fn }) => ['publications.collection_id as id', fn.countAll<number>().as('count')])
    .groupBy('publications.collection_id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id!, Number(count)]))
}

/**
 * Creates a collection after all others, with a slug from its name if none is given.
 * @returns its id
 * @throws workspaceNotFound, tooManyCollections, collectionSlugIsTaken
 */
async function createCollection(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  { name, slug }: { name: string; slug?: string },
  nowMs: number,
): Promise<string> {
  return await inTransaction(db, async (transaction) => {
    if (!(await lockWorkspace(transaction, workspaceId))) throw workspaceNotFound()
    const others = await inOrder(transaction, workspaceId)
    if (others.length >= MAX_COLLECTIONS) throw tooManyCollections()
    const id = randomUUID()
    const free = slug ?? (await freeSlug(transaction, workspaceId, slugOf(name)))
    await takeSlug(transaction, { workspaceId, id }, free)
    const position = (others.at(-1)?.position ?? -1) + 1
    const times = { created_at: nowMs, updated_at: nowMs }
    await transaction
      .insertInto('collections')
      .values({ id, workspace_id: workspaceId, slug: free, name, position, ...times })
      .execute()
    return id
  })
}

/**
 * Renames a collection, gives it another slug, or another place among all, from 0 on. Former slugs still lead to it.
 * @throws collectionNotFound, collectionSlugIsTaken
 */
async function changeCollection(
  db: Kysely<PublicationsTables>,
  { workspaceId, id }: { workspaceId: string; id: string },
  { name, slug, position }: CollectionChange,
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // Two that are moved at once would both write all positions.
    if (!(await lockWorkspace(transaction, workspaceId))) throw collectionNotFound()
    const row = await lockCollection(transaction, workspaceId, id)
    if (slug !== undefined && slug !== row.slug) await takeSlug(transaction, { workspaceId, id }, slug)
    const fields = { name: name ?? row.name, slug: slug ?? row.slug, updated_at: nextUpdate(row, nowMs) }
    await transaction.updateTable('collections').set(fields).where('id', '=', id).execute()
    if (position !== undefined) await move(transaction, workspaceId, id, position)
  })
}

/** Gives a collection a place among all, from 0 on; one beyond the last is the last. */
async function move(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
  id: string,
  position: number,
): Promise<void> {
  const ids = (await inOrder(transaction, workspaceId)).map((one) => one.id).filter((one) => one !== id)
  ids.splice(position, 0, id)
  await transaction
    .updateTable('collections')
    .set({
      position: caseOf('id', ids.entries()),
    })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

async function inOrder(transaction: Transaction<PublicationsTables>, workspaceId: string) {
  return await transaction
    .selectFrom('collections')
    .select(['id', 'position'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

async function lockCollection(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
  id: string,
): Promise<CollectionRow> {
  const row = isUuid(id)
    ? await transaction
        .selectFrom('collections')
        .selectAll()
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw collectionNotFound()
  return row
}

/** Gives a slug to a collection; it stays its own once it has another. @throws collectionSlugIsTaken */
async function takeSlug(
  transaction: Transaction<PublicationsTables>,
  { workspaceId, id }: { workspaceId: string; id: string },
  slug: string,
): Promise<void> {
  const taken = await transaction
    .insertInto('collection_slugs')
    .values({ workspace_id: workspaceId, slug, collection_id: id })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'slug'])
        .doUpdateSet({ collection_id: id })
        .where('collection_slugs.collection_id', '=', id),
    )
    .returning('slug')
    .executeTakeFirst()
  if (taken === undefined) throw collectionSlugIsTaken()
}

async function freeSlug(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
  wanted: string,
): Promise<string> {
  const number = await firstFreeNumber(async (candidate) => {
    const query = transaction
      .selectFrom('collection_slugs')
      .select('slug')
      .where('workspace_id', '=', workspaceId)
      .where('slug', '=', numberedSlug(wanted, candidate))
    return (await query.executeTakeFirst()) !== undefined
  })
  return numberedSlug(wanted, number)
}
