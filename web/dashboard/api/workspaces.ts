import { queryOptions } from '@tanstack/react-query'
import type {
  CreatedWorkspace,
  OperatorWorkspace,
  OperatorWorkspaceList,
  WorkspaceKey,
} from '../../../src/publications/schemas/workspaces.ts'
import { request } from './request.ts'

export type { CreatedWorkspace, OperatorWorkspace, WorkspaceKey }

export const WORKSPACES_KEY = ['workspaces'] as const

/** Every workspace. */
export const workspacesQuery = queryOptions({
  queryKey: WORKSPACES_KEY,
  queryFn: async ({ signal }) =>
    (await request<OperatorWorkspaceList>('GET', '/operator/workspaces', { signal })).workspaces,
})

/** One workspace. */
export function workspaceQuery(id: string) {
  return queryOptions({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => request<OperatorWorkspace>('GET', workspaceAddress(id), { signal }),
  })
}

/** The API key of a workspace in plain text; nothing of it is kept once no page shows it. */
export function workspaceKeyQuery(id: string) {
  return queryOptions({
    queryKey: ['workspace', id, 'key'],
    gcTime: 0,
    queryFn: ({ signal }) => request<WorkspaceKey>('GET', `${workspaceAddress(id)}/key`, { signal }),
  })
}

/** Makes a workspace; its first API key comes with it. */
export function createWorkspace(name: string): Promise<CreatedWorkspace> {
  return request('POST', '/operator/workspaces', { body: { name } })
}

/** Gives a workspace another name. */
export function renameWorkspace(id: string, name: string): Promise<OperatorWorkspace> {
  return request('PATCH', workspaceAddress(id), { body: { name } })
}

/** Makes a key that takes the place of all others after a while. */
export function rotateKey(id: string, keepSec: number): Promise<WorkspaceKey> {
  return request('POST', `${workspaceAddress(id)}/key/rotate`, { body: { keep_sec: keepSec } })
}

/** Deletes a workspace with its keys and publications. */
export function deleteWorkspace(id: string): Promise<void> {
  return request('DELETE', workspaceAddress(id))
}

/** Where everything of a workspace is. */
export function workspaceAddress(id: string): string {
  return `/operator/workspaces/${encodeURIComponent(id)}`
}
