import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { deriveKeys, type Keys, type Secrets } from '#platform/basics/secrets.ts'
import { isUuid } from '#platform/basics/text.ts'
import { type CredentialKind, createCredentials } from '#platform/credentials/credentials.ts'
import {
  type CredentialRow,
  createCredentialsStore,
  type FoundCredential,
  insertCredentials,
} from '#platform/credentials/credentials-store.ts'
import type { SealedColumn } from '#platform/credentials/sealed-columns.ts'
import type { Notices } from '#platform/database/notices.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { webhookSealedColumns } from '#platform/webhooks/endpoints-store.ts'
import { apiKeyNotFound, workspaceNotFound } from '../model/errors.ts'
import { DEFAULT_PERMISSIONS, grantedBy, PERMISSIONS, type Permission } from '../model/fields.ts'
import type { PublicationsTables, WorkspaceRow } from '../model/tables.ts'
import { lockWorkspace, type WorkspacesStore } from '../model/workspaces-store.ts'

/** The workspace that a key opens, and its permissions. */
export type OpenedKey = { workspaceId: string; permissions: readonly Permission[] }

/** API keys have no columns but the common ones. */
export type NoColumns = Record<never, never>

/** A key of a workspace. */
export type ApiKey = CredentialRow<NoColumns>

/** API keys. Each opens one workspace. */
const API_KEYS: CredentialKind<NoColumns> = {
  prefix: 'pub',
  table: 'api_keys',
  sha256Column: 'key_sha256',
  ownerColumn: 'workspace_id',
  own: {},
  permissions: PERMISSIONS,
  defaultPermissions: DEFAULT_PERMISSIONS,
  ownerNotFound: workspaceNotFound,
  notFound: apiKeyNotFound,
}

type ApiKeysStore = ReturnType<typeof createApiKeysStore>

/** Creates the store of API keys. */
export function createApiKeysStore(db: Kysely<PublicationsTables>) {
  return {
    ...createCredentialsStore(db, API_KEYS, lockWorkspace),

    /** Adds a workspace with its first key. */
    async createWorkspace(workspace: WorkspaceRow, key: ApiKey): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await transaction.insertInto('workspaces').values(workspace).execute()
        await insertCredentials(transaction, API_KEYS, [key])
      })
    },
  }
}

/** Returns the workspace that a valid key opens. */
export function openedByKey({ ownerId, permissions }: FoundCredential<NoColumns>): OpenedKey {
  return { workspaceId: ownerId, permissions: grantedBy(permissions as readonly Permission[]) }
}

/** A workspace with one of its keys in plain text. */
export type OpenedWorkspace = { id: string; name: string; api_key: string }

/** Limits that a workspace is created with; none by default. */
type WorkspaceLimits = Partial<Pick<WorkspaceRow, 'max_bytes' | 'max_publications'>>

type Deps = {
  workspaces: WorkspacesStore
  apiKeys: ApiKeysStore
  notices: Notices | undefined
  sealingKeys: Keys
  now: () => number
}

/** Derives the keys that seal API keys for display. */
export function deriveSealingKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, API_KEYS_PURPOSE)
}

/** Workspaces and their keys, for the dashboard and the command line. */
export type WorkspaceKeys = ReturnType<typeof createWorkspaceKeys>

/** Creates workspaces and their keys. */
export function createWorkspaceKeys({ workspaces, apiKeys, notices, sealingKeys, now }: Deps) {
  const keys = createCredentials({
    kind: API_KEYS,
    store: apiKeys,
    findOwner: async (id) => (isUuid(id) ? await workspaces.find(id) : undefined),
    notices,
    sealingKeys,
    now,
  })
  return {
    ...keys,

    /** Creates a workspace with its first key. */
    async create(name: string, given?: WorkspaceLimits): Promise<OpenedWorkspace> {
      const limits = { max_bytes: null, max_publications: null, ...given }
      const workspace = { id: randomUUID(), name, created_at: now(), deleted_at: null, ...limits }
      const { text, row } = keys.issueFirst(workspace.id)
      await apiKeys.createWorkspace(workspace, row)
      return { id: workspace.id, name, api_key: text }
    },
  }
}

/** The purpose of the keys that seal API keys. */
const API_KEYS_PURPOSE = 'API keys'

/** Every column of this service whose texts are sealed. */
export const publicationsSealedColumns: readonly SealedColumn[] = [
  { table: 'api_keys', id: 'key_sha256', column: 'sealed', purpose: API_KEYS_PURPOSE },
  ...webhookSealedColumns,
]
