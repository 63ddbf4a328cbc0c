import type { Kysely } from 'kysely'
import type { NamesByKind } from '#platform/audit/find-name.ts'
import { createApiKeysStore, keyId } from '../storage/api-keys-store.ts'
import { createLibraryStore } from '../storage/library/library-store.ts'
import type { PublicationsTables } from '../storage/tables.ts'
import { createWorkspacesStore } from '../storage/workspaces-store.ts'

/** Returns what finds the names of workspaces, keys and publications, for the audit log. */
export function publicationsSubjectNames(db: Kysely<PublicationsTables>, now: () => number): NamesByKind {
  const [workspaces, apiKeys, library] = [createWorkspacesStore(db), createApiKeysStore(db), createLibraryStore(db)]
  return {
    workspace: async (id) => (await workspaces.find(id))?.name,
    publication: async (id) => (await library.find(id))?.title,
    key: async (id, workspaceId) => {
      if (workspaceId === undefined) return undefined
      return (await apiKeys.listValid(workspaceId, now())).find((one) => keyId(one) === id)?.label
    },
  }
}
