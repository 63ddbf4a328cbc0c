import { type Kysely, sql, type Transaction } from 'kysely'
import { countRows } from '#platform/database/queries.ts'
import { inTransaction, TransactionConflict } from '#platform/database/transaction.ts'
import { deleteWebhooksOf } from '#platform/webhooks/endpoints-store.ts'
import type { PublicationsTables, WorkspaceRow } from './tables.ts'

export type WorkspacesStore = ReturnType<typeof createWorkspacesStore>

/** Creates the store of workspaces. */
export function createWorkspacesStore(db: Kysely<PublicationsTables>) {
  return {
    async find(id: string): Promise<WorkspaceRow | undefined> {
      return await db
        .selectFrom('workspaces')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },

    /** Returns all workspaces, newest first, each with the number of its publications. */
    list: () => listCounted(db),

    /** Returns true if there has never been a workspace: only then does the first start create one. */
    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) === undefined
    },

    /** Ends the workspace with its keys; its publications are removed separately. @returns false if there is none */
    async end(id: string, nowMs: number): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('workspaces')
          .set({ deleted_at: nowMs })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        await transaction.deleteFrom('api_keys').where('workspace_id', '=', id).execute()
        await deleteWebhooksOf(transaction, id)
        return numUpdatedRows > 0n
      })
    },

    /** Returns the ended workspaces whose publications have yet to be removed. */
    async ended(): Promise<string[]> {
      const rows = await db.selectFrom('workspaces').select('id').where('deleted_at', 'is not', null).execute()
      return rows.map(({ id }) => id)
    },
  }
}

async function listCounted(db: Kysely<PublicationsTables>): Promise<(WorkspaceRow & { publications_count: number })[]> {
  return await db
    .selectFrom('workspaces')
    .selectAll()
    .select((workspaces) =>
      workspaces
        .selectFrom('publications')
        .select((publications) => publications.fn.countAll<number>().as('count'))
        .whereRef('publications.workspace_id', '=', 'workspaces.id')
        .where('publications.deleted_at', 'is', null)
        .$castTo<{ count: number }>()
        .as('publications_count'),
    )
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .$castTo<WorkspaceRow & { publications_count: number }>()
    .execute()
}

/** The limits of a workspace; null for none. */
type WorkspaceQuotas = { id: string; max_bytes: number | null; max_publications: number | null }

/**
 * Returns the limits of a workspace, and locks it until the end of the transaction. With a limit, additions wait for
 * each other, on all instances, so that the counts are exact. Undefined for a workspace that is being deleted: nothing
 * new may be added, because nothing would remove it.
 */
export async function lockQuotas(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
): Promise<WorkspaceQuotas | undefined> {
  const query = transaction
    .selectFrom('workspaces')
    .select(['id', 'max_bytes', 'max_publications'])
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
  const quotas = await query.executeTakeFirst()
  if (quotas === undefined) return undefined
  // One lock, of the right kind at once: two transactions that both turned a shared one into an exclusive one would
  // block.
  const isExclusive = isLimited(quotas)
  const locked = await (isExclusive ? query.forUpdate() : query.forShare()).executeTakeFirst()
  if (locked !== undefined && isLimited(locked) && !isExclusive) throw new TransactionConflict()
  return locked
}

function isLimited({ max_bytes, max_publications }: WorkspaceQuotas): boolean {
  return max_bytes !== null || max_publications !== null
}

/** Tells whether a file of so many bytes stays within the limit. Counted are all uploaded files of the workspace. */
export async function hasRoom(
  db: Kysely<PublicationsTables>,
  { id, max_bytes }: WorkspaceQuotas,
  bytes: number,
): Promise<boolean> {
  if (max_bytes === null) return true
  const { stored } = await db
    .selectFrom('uploads')
    .select(sql<number>`coalesce(sum(size), 0)`.as('stored'))
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(stored) + bytes <= max_bytes
}

/** Tells whether a further publication stays within the limit. */
export async function hasRoomForPublication(
  transaction: Transaction<PublicationsTables>,
  { id, max_publications }: WorkspaceQuotas,
): Promise<boolean> {
  if (max_publications === null) return true
  const publications = transaction
    .selectFrom('publications')
    .where('workspace_id', '=', id)
    .where('deleted_at', 'is', null)
  return (await countRows(publications)) < max_publications
}

/**
 * Locks a workspace, so that counted things are added one after another, on all instances.
 * @returns false for one that is being deleted
 */
export async function lockWorkspace(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
): Promise<boolean> {
  const workspace = await transaction
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return workspace !== undefined
}
