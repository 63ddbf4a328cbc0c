import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ApiKeyRow, PublicationsTables, WorkspaceRow } from './tables.ts'

/** A key as it is stored: never its text, only what finds it and what shows it. */
export type StoredKey = { keySha256: string; sealed: Uint8Array; createdAtMs: number }

/** Workspaces and the API keys that open them. */
export type WorkspacesStore = {
  create(workspace: WorkspaceRow, key: StoredKey): Promise<void>
  find(id: string): Promise<WorkspaceRow | undefined>
  /** All workspaces, newest first, each with the number of its publications. */
  list(): Promise<(WorkspaceRow & { publications_count: number })[]>
  /** Whether there is or has been any workspace: the first start makes one only in an empty database. */
  isEmpty(): Promise<boolean>
  /** The workspace that a key opens at a time; undefined for an unknown or ended key. */
  findByKey(keySha256: string, nowMs: number): Promise<{ workspaceId: string } | undefined>
  /** Adds a key, and ends the others at `othersEndMs`, or sooner where they already end sooner. */
  addKey(workspaceId: string, key: StoredKey, othersEndMs: number): Promise<void>
  /** The keys of a workspace that are still good, newest first. */
  keys(workspaceId: string, nowMs: number): Promise<ApiKeyRow[]>
  /** Forgets keys that have ended. */
  removeEndedKeys(nowMs: number): Promise<void>
  /** Ends the workspace: its keys are gone, nothing shows it any more. Its publications are removed apart. */
  end(id: string, nowMs: number): Promise<boolean>
  /** Workspaces that were ended and still have a row: their publications are still to be removed. */
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

    async list() {
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
    },

    async isEmpty() {
      return (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) === undefined
    },

    async findByKey(keySha256, nowMs) {
      const row = await db
        .selectFrom('api_keys')
        .select(['workspace_id', 'expires_at'])
        .where('key_sha256', '=', keySha256)
        .executeTakeFirst()
      if (row === undefined || (row.expires_at !== null && row.expires_at <= nowMs)) return undefined
      return { workspaceId: row.workspace_id }
    },

    async addKey(workspaceId, key, othersEndMs) {
      await inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('api_keys')
          .set({ expires_at: othersEndMs })
          .where('workspace_id', '=', workspaceId)
          .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', othersEndMs)]))
          .execute()
        await transaction.insertInto('api_keys').values(keyRow(workspaceId, key)).execute()
      })
    },

    async keys(workspaceId, nowMs) {
      return await db
        .selectFrom('api_keys')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', nowMs)]))
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
        return numUpdatedRows > 0n
      })
    },

    async ended() {
      const rows = await db.selectFrom('workspaces').select('id').where('deleted_at', 'is not', null).execute()
      return rows.map(({ id }) => id)
    },
  }
}

function keyRow(workspaceId: string, key: StoredKey): ApiKeyRow {
  return {
    key_sha256: key.keySha256,
    workspace_id: workspaceId,
    sealed: key.sealed,
    created_at: key.createdAtMs,
    expires_at: null,
  }
}
