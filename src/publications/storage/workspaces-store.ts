import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction, TransactionConflict } from '#platform/database/transaction.ts'
import { isValidAt, whereValidAt } from '#platform/tokens/owned-tokens.ts'
import { parsePermissions } from '#platform/tokens/permission-list.ts'
import { deleteWebhooksOf } from '#platform/webhooks/storage/endpoints-store.ts'
import { grantedBy, PERMISSIONS, type Permission } from '../domain/permission.ts'
import { keyRow, type StoredKey } from './api-keys-store.ts'
import type { ApiKeyRow, PublicationsTables, WorkspaceRow } from './tables.ts'

/** The workspace that a key opens, and what is allowed there. */
export type OpenedKey = { workspaceId: string; permissions: readonly Permission[] }

/** Workspaces and their API keys. */
export type WorkspacesStore = {
  create(workspace: WorkspaceRow, key: StoredKey): Promise<void>
  find(id: string): Promise<WorkspaceRow | undefined>
  /** Returns all workspaces, newest first, each with the number of its publications. */
  list(): Promise<(WorkspaceRow & { publications_count: number })[]>
  /** Returns true if there has never been a workspace: only then does the first start create one. */
  isEmpty(): Promise<boolean>
  /** Finds what a key opens at a time; undefined for an unknown or ended key. */
  findByKey(keySha256: string, nowMs: number): Promise<OpenedKey | undefined>
  /** Adds a first key, and ends the other first keys at `othersEndMs` unless they end sooner. */
  rotateKey(workspaceId: string, key: StoredKey, othersEndMs: number): Promise<void>
  /** Returns the valid first keys of a workspace, newest first. */
  firstKeys(workspaceId: string, nowMs: number): Promise<ApiKeyRow[]>
  /** Removes keys that have ended. */
  removeEndedKeys(nowMs: number): Promise<void>
  /** Ends the workspace with its keys; its publications are removed separately. @returns false if there is none */
  end(id: string, nowMs: number): Promise<boolean>
  /** Returns the ended workspaces whose publications have yet to be removed. */
  ended(): Promise<string[]>
}

export function createWorkspacesStore(db: Kysely<PublicationsTables>): WorkspacesStore {
  return {
    async create(workspace, key) {
      await inTransaction(db, async (transaction) => {
        await transaction.insertInto('workspaces').values(workspace).execute()
        await transaction.insertInto('api_keys').values(keyRow(workspace.id, key)).execute()
      })
    },

    async find(id) {
      return await db
        .selectFrom('workspaces')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },

    list: () => listCounted(db),

    async isEmpty() {
      return (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) === undefined
    },

    async findByKey(keySha256, nowMs) {
      const row = await db
        .selectFrom('api_keys')
        .select(['workspace_id', 'expires_at', 'permissions'])
        .where('key_sha256', '=', keySha256)
        .executeTakeFirst()
      if (row === undefined || !isValidAt(row, nowMs)) return undefined
      return { workspaceId: row.workspace_id, permissions: grantedBy(parsePermissions(row.permissions, PERMISSIONS)) }
    },

    async rotateKey(workspaceId, key, othersEndMs) {
      await inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('api_keys')
          .set({ expires_at: othersEndMs })
          .where('workspace_id', '=', workspaceId)
          .where('is_first', '=', 1)
          .where(whereValidAt(othersEndMs))
          .execute()
        await transaction.insertInto('api_keys').values(keyRow(workspaceId, key)).execute()
      })
    },

    async firstKeys(workspaceId, nowMs) {
      return await db
        .selectFrom('api_keys')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('is_first', '=', 1)
        .where(whereValidAt(nowMs))
        .orderBy('created_at', 'desc')
        .execute()
    },

    async removeEndedKeys(nowMs) {
      await db.deleteFrom('api_keys').where('expires_at', '<=', nowMs).execute()
    },

    async end(id, nowMs) {
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

    async ended() {
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

/**
 * Locks a workspace, so that what is counted and added to it is added one after another, on all instances.
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
  const { count } = await transaction
    .selectFrom('publications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count) < max_publications
}
