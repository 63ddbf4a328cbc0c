import type { Kysely } from 'kysely'
import { formatDateTime } from '#platform/basics/time.ts'
import type { NamesByKind, ValuesByKind } from '#platform/credentials/audited.ts'
import { webhookValues } from '#platform/webhooks/endpoints-store.ts'
import type { WebhookTables } from '#platform/webhooks/tables.ts'
import { findBinned } from '../model/bin-store.ts'
import { createLibraryStore } from '../model/library-store.ts'
import { findBySlug } from '../model/publication-rows.ts'
import type { PublicationsTables } from '../model/tables.ts'
import { createWorkspacesStore } from '../model/workspaces-store.ts'
import { createApiKeysStore } from './workspace-keys.ts'

/** Returns a function that finds the names of workspaces, keys and publications, for the audit log. */
export function publicationsSubjectNames(db: Kysely<PublicationsTables>, now: () => number): NamesByKind {
  const [workspaces, apiKeys] = [createWorkspacesStore(db), createApiKeysStore(db)]
  return {
    workspace: async (id) => (await workspaces.find(id))?.name,
    publication: async (id, workspaceId) =>
      ((await publicationOf(db, id, workspaceId, now)) ?? (await findBinned(db, id)))?.title,
    key: async (id, workspaceId) => {
      if (workspaceId === undefined) return undefined
      return (await apiKeys.findById(workspaceId, id, now()))?.label
    },
  }
}

/** Returns a function that finds the values of workspaces, keys, publications and webhooks, for the audit log. */
export function publicationsSubjectValues(db: Kysely<PublicationsTables>, now: () => number): ValuesByKind {
  const [workspaces, apiKeys] = [createWorkspacesStore(db), createApiKeysStore(db)]
  return {
    ...webhookValues(db as unknown as Kysely<WebhookTables>),
    workspace: async (id) => await workspaces.find(id),
    async publication(id, workspaceId) {
      const found = await publicationOf(db, id, workspaceId, now)
      return found && { title: found.title, slug: found.slug, access: found.access ?? 'public' }
    },
    async key(id, workspaceId = '') {
      const key = await apiKeys.findById(workspaceId, id, now())
      if (key === undefined) return undefined
      const expires_at = key.expires_at === null ? null : formatDateTime(key.expires_at)
      return { label: key.label, permissions: key.permissions.split(','), expires_at }
    },
  }
}

/** Finds a publication by its id, as operators name it, or by a slug of the workspace of a key. */
async function publicationOf(
  db: Kysely<PublicationsTables>,
  id: string,
  workspaceId: string | undefined,
  now: () => number,
) {
  const known = await createLibraryStore(db, now).find(id)
  if (known !== undefined || workspaceId === undefined) return known
  const found = await findBySlug(db, id)
  return found?.workspace_id === workspaceId ? found : undefined
}
