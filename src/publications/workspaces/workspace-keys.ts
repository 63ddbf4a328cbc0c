import { randomUUID } from 'node:crypto'
import type { Notices } from '#platform/database/notices.ts'
import { newToken, openToken, sealToken, tokenHash } from '#platform/tokens/token.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { workspaceNotFound } from '../errors.ts'
import type { WorkspacesStore } from '../storage/workspaces-store.ts'

/** A workspace with a key of it in plain text. */
export type OpenedWorkspace = { id: string; name: string; api_key: string }

/** What one does with workspaces and their keys, from the dashboard and from the command line alike. */
export type WorkspaceKeys = {
  /** Makes a workspace with its first key. */
  create(name: string): Promise<OpenedWorkspace>
  /**
   * Makes a new key; the others end after `keepMs`, at once by default.
   * @throws workspaceNotFound
   */
  rotate(workspaceId: string, keepMs: number): Promise<OpenedWorkspace>
  /** The newest key, to be shown; undefined where it was sealed under another secret. @throws workspaceNotFound */
  show(workspaceId: string): Promise<{ id: string; name: string; api_key: string | undefined }>
}

const KEY_PREFIX = 'pub'

type Deps = { workspaces: WorkspacesStore; notices: Notices | undefined; sealingKey: Buffer; now: () => number }

export function createWorkspaceKeys({ workspaces, notices, sealingKey, now }: Deps): WorkspaceKeys {
  function freshKey() {
    const apiKey = newToken(KEY_PREFIX)
    const stored = { keySha256: tokenHash(apiKey), sealed: sealToken(apiKey, sealingKey), createdAtMs: now() }
    return { apiKey, stored }
  }

  async function requireWorkspace(id: string) {
    const workspace = await workspaces.find(id)
    if (workspace === undefined) throw workspaceNotFound()
    return workspace
  }

  return {
    async create(name) {
      const workspace = { id: randomUUID(), name, created_at: now(), deleted_at: null }
      const { apiKey, stored } = freshKey()
      await workspaces.create(workspace, stored)
      return { id: workspace.id, name, api_key: apiKey }
    },

    async rotate(workspaceId, keepMs) {
      const { id, name } = await requireWorkspace(workspaceId)
      const { apiKey, stored } = freshKey()
      await workspaces.addKey(id, stored, now() + keepMs)
      await announceEndedTokens(notices, id)
      return { id, name, api_key: apiKey }
    },

    async show(workspaceId) {
      const { id, name } = await requireWorkspace(workspaceId)
      const [newest] = await workspaces.keys(id, now())
      return { id, name, api_key: newest === undefined ? undefined : openToken(newest.sealed, sealingKey) }
    },
  }
}
