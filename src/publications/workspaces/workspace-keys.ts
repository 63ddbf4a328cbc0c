import { randomUUID } from 'node:crypto'
import type { Notices } from '#platform/database/notices.ts'
import { deriveKeys, type Keys, type Secrets } from '#platform/security/secret.ts'
import { newToken, openToken, sealToken, tokenHash } from '#platform/tokens/token.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { workspaceNotFound } from '../errors.ts'
import type { ApiKeysStore, KeyGrant } from '../storage/api-keys-store.ts'
import type { ApiKeyRow, WorkspaceRow } from '../storage/tables.ts'
import type { WorkspacesStore } from '../storage/workspaces-store.ts'
import { API_KEYS_PURPOSE } from './sealed-columns.ts'

/** A workspace with one of its keys in plain text. */
export type OpenedWorkspace = { id: string; name: string; api_key: string }

/** Limits that a workspace is created with; none by default. */
export type WorkspaceLimits = Partial<Pick<WorkspaceRow, 'max_bytes' | 'max_publications'>>

/** Workspaces and their keys, for the dashboard and the command line. */
export type WorkspaceKeys = {
  /** Creates a workspace with its first key. */
  create(name: string, limits?: WorkspaceLimits): Promise<OpenedWorkspace>
  /**
   * Creates a new first key; the other first keys end after `keepMs`.
   * @throws workspaceNotFound
   */
  rotate(workspaceId: string, keepMs: number): Promise<OpenedWorkspace>
  /** Creates a further key; the others stay valid. @throws workspaceNotFound */
  add(workspaceId: string, grant: KeyGrant): Promise<{ row: ApiKeyRow; api_key: string }>
  /** Returns the newest first key; undefined if it was sealed with another secret. @throws workspaceNotFound */
  show(workspaceId: string): Promise<{ id: string; name: string; api_key: string | undefined }>
}

const KEY_PREFIX = 'pub'

type Deps = {
  workspaces: Pick<WorkspacesStore, 'create' | 'find' | 'rotateKey' | 'firstKeys'>
  apiKeys: Pick<ApiKeysStore, 'add'>
  notices: Notices | undefined
  sealingKeys: Keys
  now: () => number
}

/** Derives the keys that seal API keys for display. */
export function deriveSealingKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, API_KEYS_PURPOSE)
}

export function createWorkspaceKeys({ workspaces, apiKeys, notices, sealingKeys, now }: Deps): WorkspaceKeys {
  function freshKey() {
    const apiKey = newToken(KEY_PREFIX)
    const stored = { keySha256: tokenHash(apiKey), sealed: sealToken(apiKey, sealingKeys), createdAtMs: now() }
    return { apiKey, stored }
  }

  async function requireWorkspace(id: string) {
    const workspace = await workspaces.find(id)
    if (workspace === undefined) throw workspaceNotFound()
    return workspace
  }

  return {
    async create(name, given) {
      const limits = { max_bytes: null, max_publications: null, ...given }
      const workspace = { id: randomUUID(), name, created_at: now(), deleted_at: null, ...limits }
      const { apiKey, stored } = freshKey()
      await workspaces.create(workspace, stored)
      return { id: workspace.id, name, api_key: apiKey }
    },

    async rotate(workspaceId, keepMs) {
      const { id, name } = await requireWorkspace(workspaceId)
      const { apiKey, stored } = freshKey()
      await workspaces.rotateKey(id, stored, now() + keepMs)
      await announceEndedTokens(notices, id)
      return { id, name, api_key: apiKey }
    },

    async add(workspaceId, grant) {
      const { apiKey, stored } = freshKey()
      const row = await apiKeys.add(workspaceId, { ...stored, ...grant })
      if (row === undefined) throw workspaceNotFound()
      return { row, api_key: apiKey }
    },

    async show(workspaceId) {
      const { id, name } = await requireWorkspace(workspaceId)
      const [newest] = await workspaces.firstKeys(id, now())
      return { id, name, api_key: newest === undefined ? undefined : openToken(newest.sealed, sealingKeys) }
    },
  }
}
