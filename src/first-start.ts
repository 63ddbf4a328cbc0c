import type { OpenedWorkspace } from './publications/workspaces/workspace-keys.ts'
import type { Services } from './start-services.ts'

/** Everything a first start created, with secrets in plain text. A service that was not empty is absent. */
export type FirstStart = {
  event?: { id: string; name: string; token: string }
  workspace?: OpenedWorkspace
  /** Name of the operator, and the path of the link to sign in with for the first time. */
  operator?: { name: string; signInPath: string }
}

/** An empty installation gets what it takes to try it at once; of processes that start at once, one makes it. */
export async function makeFirstStart({ tracks, publications, operator }: Services): Promise<FirstStart> {
  const first = await operator?.createFirstOperator()
  return {
    event: await tracks?.createFirstEvent(),
    workspace: await publications?.createFirstWorkspace(),
    operator: first && { name: first.name, signInPath: first.link.path },
  }
}
