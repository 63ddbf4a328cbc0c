import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, ApiKeyCreate, ApiKeyList, ShownApiKey } from '../../../src/publications/schemas/keys.ts'
import type {
  CreatedWorkspace,
  OperatorWorkspace,
  OperatorWorkspaceList,
  WorkspaceKey,
} from '../../../src/publications/schemas/workspaces.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { ApiKey, CreatedWorkspace, OperatorWorkspace, ShownApiKey, WorkspaceKey }

/** All workspaces. */
export const workspacesQuery = queryOptions({
  queryKey: queryKeys.workspaces,
  queryFn: async ({ signal }) =>
    (await request<OperatorWorkspaceList>('GET', apiPaths.workspaces, { signal })).workspaces,
})

/** One workspace. */
export function workspaceQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.workspace(id),
    queryFn: ({ signal }) => request<OperatorWorkspace>('GET', apiPaths.workspace(id), { signal }),
  })
}

/** A workspace's API key in plain text. It leaves the cache with the last component that shows it. */
export function workspaceKeyQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.workspaceKey(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => request<WorkspaceKey>('GET', apiPaths.workspaceKey(id), { signal }),
  })
}

/** A workspace's API keys, masked. */
export function keysQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.workspaceKeys(id),
    queryFn: async ({ signal }) => (await request<ApiKeyList>('GET', apiPaths.workspaceKeys(id), { signal })).keys,
  })
}

/** One of the further keys in plain text. It leaves the cache with the last component that shows it. */
export function shownKeyQuery(id: string, keyId: string) {
  return queryOptions({
    queryKey: queryKeys.furtherKey(id, keyId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => request<ShownApiKey>('GET', apiPaths.furtherKey(id, keyId), { signal }),
  })
}

/** Adds a key to those that the workspace has. */
export function createKey(id: string, key: ApiKeyCreate): Promise<ShownApiKey> {
  return request('POST', apiPaths.workspaceKeys(id), { body: key })
}

/** Revokes a key at once. */
export function revokeKey(id: string, keyId: string): Promise<void> {
  return request('DELETE', apiPaths.furtherKey(id, keyId))
}

/** Creates a workspace. The response holds its first API key. */
export function createWorkspace(name: string): Promise<CreatedWorkspace> {
  return request('POST', apiPaths.workspaces, { body: { name } })
}

/** Renames a workspace. */
export function renameWorkspace(id: string, name: string): Promise<OperatorWorkspace> {
  return request('PATCH', apiPaths.workspace(id), { body: { name } })
}

/** Changes the limits of a workspace. */
export function limitWorkspace(
  id: string,
  limits: Pick<OperatorWorkspace, 'max_bytes' | 'max_publications'>,
): Promise<OperatorWorkspace> {
  return request('PATCH', apiPaths.workspace(id), { body: limits })
}

/** Creates a first key that replaces the one before after an overlap. */
export function rotateKey(id: string, keepSec: number): Promise<WorkspaceKey> {
  return request('POST', apiPaths.rotateKey(id), { body: { keep_sec: keepSec } })
}

/** Deletes a workspace with its keys and publications. */
export function deleteWorkspace(id: string): Promise<void> {
  return request('DELETE', apiPaths.workspace(id))
}
