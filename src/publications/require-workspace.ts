import { AppError } from '#platform/errors.ts'
import { workspaceNotFound } from './errors.ts'
import type { OperatorDeps } from './operator-deps.ts'
import type { CountedWorkspace } from './storage/operator-workspaces-store.ts'

/** @throws workspaceNotFound */
export async function requireWorkspace(
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
  deps: Pick<OperatorDeps, 'operatorWorkspaces'>,
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
