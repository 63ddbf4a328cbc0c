import { AppError } from '#platform/errors.ts'
import { isUuid } from '#platform/ids/uuid.ts'
import { workspaceNotFound } from '../../errors.ts'
import type { CountedWorkspace } from '../../storage/operator-workspaces-store.ts'
import type { WorkspaceRow } from '../../storage/tables.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** The workspace itself, without what it takes to count all that is in it. @throws workspaceNotFound */
export async function requireWorkspace(
  { workspaces }: Pick<OperatorDeps, 'workspaces'>,
  id: string,
): Promise<WorkspaceRow> {
  const workspace = isUuid(id) ? await workspaces.find(id) : undefined
  if (workspace === undefined) throw workspaceNotFound()
  return workspace
}

/** The workspace with what it holds. @throws workspaceNotFound */
export async function requireCountedWorkspace(
  { operatorWorkspaces }: Pick<OperatorDeps, 'operatorWorkspaces'>,
  id: string,
): Promise<CountedWorkspace> {
  const workspace = await operatorWorkspaces.find(id)
  if (workspace === undefined) throw workspaceNotFound()
  return workspace
}

/**
 * Does something for a workspace as its key would let it. A workspace that has just gone is told to operators as such,
 * and not as a key that is no longer good: their own session is.
 * @throws workspaceNotFound, and what the work throws
 */
export async function forWorkspace<Result>(
  deps: Pick<OperatorDeps, 'workspaces'>,
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
