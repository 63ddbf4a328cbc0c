import { AppError } from '#platform/errors.ts'
import { isUuid } from '#platform/ids/uuid.ts'
import { workspaceNotFound } from '../../errors.ts'
import type { CountedWorkspace, OperatorWorkspacesStore } from '../../storage/operator-workspaces-store.ts'
import type { WorkspaceRow } from '../../storage/tables.ts'
import type { WorkspacesStore } from '../../storage/workspaces-store.ts'

export type RequireWorkspaceDeps = { workspaces: Pick<WorkspacesStore, 'find'> }
export type CountedWorkspaceDeps = { operatorWorkspaces: Pick<OperatorWorkspacesStore, 'find'> }

/** Returns a workspace without the cost of counting its contents. @throws workspaceNotFound */
export async function requireWorkspace({ workspaces }: RequireWorkspaceDeps, id: string): Promise<WorkspaceRow> {
  const workspace = isUuid(id) ? await workspaces.find(id) : undefined
  if (workspace === undefined) throw workspaceNotFound()
  return workspace
}

/** Returns a workspace with counts of its contents. @throws workspaceNotFound */
export async function requireCountedWorkspace(
  { operatorWorkspaces }: CountedWorkspaceDeps,
  id: string,
): Promise<CountedWorkspace> {
  const workspace = await operatorWorkspaces.find(id)
  if (workspace === undefined) throw workspaceNotFound()
  return workspace
}

/**
 * Runs work on behalf of a workspace, as its key would allow it. If the workspace has just been deleted, operators get
 * that answer, and not that of an invalid key, because their own session is valid.
 * @throws workspaceNotFound, and errors of the work
 */
export async function forWorkspace<Result>(
  deps: RequireWorkspaceDeps,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await requireWorkspace(deps, id)
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError && cause.status === 401) throw workspaceNotFound({ cause })
    throw cause
  }
}
