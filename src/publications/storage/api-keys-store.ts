import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { whereValidAt } from '#platform/tokens/owned-tokens.ts'
import { formatPermissions } from '#platform/tokens/permission-list.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import type { ApiKeyRow, PublicationsTables } from './tables.ts'

/** A key as it is stored: the hash that finds it and the sealed text for display, never the text itself. */
export type StoredKey = { keySha256: string; sealed: Uint8Array; createdAtMs: number }

/** The permissions, lifetime and name of a further key of a workspace. */
export type KeyGrant = {
  permissions: readonly Permission[]
  label: string | null
  /** End of the key; null without an end. */
  expiresAtMs: number | null
}

/** API keys, one by one. */
export type ApiKeysStore = {
  /** Adds a key. The workspace's others stay valid. @returns undefined if there is no such workspace */
  add(workspaceId: string, key: StoredKey & KeyGrant): Promise<ApiKeyRow | undefined>
  /** Returns the valid keys of a workspace, newest first. */
  listValid(workspaceId: string, nowMs: number): Promise<ApiKeyRow[]>
  /** Ends one key at once. @returns false if the workspace does not have it */
  end(workspaceId: string, keySha256: string): Promise<boolean>
  /** Stores when keys were last used. */
  noteUse(keySha256s: readonly string[], nowMs: number): Promise<void>
}

const KEY_ID_LENGTH = 32

export function createApiKeysStore(db: Kysely<PublicationsTables>): ApiKeysStore {
  return {
    async add(workspaceId, key) {
      return await inTransaction(db, async (transaction) => {
        // Locked, so that a deletion of the workspace under way does not leave this key behind.
        const workspace = await transaction
          .selectFrom('workspaces')
          .select('id')
          .where('id', '=', workspaceId)
          .where('deleted_at', 'is', null)
          .forShare()
          .executeTakeFirst()
        if (workspace === undefined) return undefined
        const { permissions, label, expiresAtMs } = key
        const row = {
          ...keyRow(workspaceId, key),
          permissions: formatPermissions(permissions, PERMISSIONS),
          is_first: 0,
          label,
          expires_at: expiresAtMs,
        }
        await transaction.insertInto('api_keys').values(row).execute()
        return row
      })
    },

    async listValid(workspaceId, nowMs) {
      return await db
        .selectFrom('api_keys')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where(whereValidAt(nowMs))
        .orderBy('created_at', 'desc')
        .orderBy('key_sha256')
        .execute()
    },

    async end(workspaceId, keySha256) {
      const { numDeletedRows } = await db
        .deleteFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .where('key_sha256', '=', keySha256)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async noteUse(keySha256s, nowMs) {
      await db.updateTable('api_keys').set({ last_used_at: nowMs }).where('key_sha256', 'in', keySha256s).execute()
    },
  }
}

/** Returns the row of a workspace's first key. */
export function keyRow(workspaceId: string, key: StoredKey): ApiKeyRow {
  return {
    key_sha256: key.keySha256,
    workspace_id: workspaceId,
    sealed: key.sealed,
    created_at: key.createdAtMs,
    expires_at: null,
    permissions: formatPermissions(DEFAULT_PERMISSIONS, PERMISSIONS),
    is_first: 1,
    label: null,
    last_used_at: null,
  }
}

/** Returns the id of a key in addresses and lists: half of its hash identifies it and opens nothing. */
export function keyId({ key_sha256 }: Pick<ApiKeyRow, 'key_sha256'>): string {
  return key_sha256.slice(0, KEY_ID_LENGTH)
}
