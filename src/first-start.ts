import { deriveKey } from '#platform/security/secret.ts'
import type { PublicationsService } from './publications/service.ts'
import { createWorkspacesStore } from './publications/storage/workspaces-store.ts'
import { createWorkspaceKeys, type OpenedWorkspace } from './publications/workspaces/workspace-keys.ts'
import type { Parts } from './start-services.ts'

/** What a first start made, with secrets in plain text; a part that was not empty is absent. */
export type FirstStart = {
  event?: { id: string; name: string; token: string }
  workspace?: OpenedWorkspace
  /** Name of the operator, and the path of the link to sign in with for the first time. */
  operator?: { name: string; signInPath: string }
}

/** What the secret is used for when tokens and keys are sealed for display. */
export const SEALING_PURPOSES = { apiKeys: 'API keys' }

/** An empty installation gets what it takes to try it at once; of processes that start at once, one makes it. */
export async function makeFirstStart({ secret, tracks, publications, operator }: Parts): Promise<FirstStart> {
  const first = await operator?.createFirstOperator()
  return {
    event: await tracks?.createFirstEvent(),
    workspace: publications && (await makeFirstWorkspace(publications, deriveKey(secret, SEALING_PURPOSES.apiKeys))),
    operator: first && { name: first.name, signInPath: first.link.path },
  }
}

async function makeFirstWorkspace({ deps }: PublicationsService, sealingKey: Buffer) {
  const { database, now } = deps
  if (!(await deps.workspaces.isEmpty())) return undefined
  return await database.exclusively(async (transaction) => {
    const workspaces = createWorkspacesStore(transaction)
    if (!(await workspaces.isEmpty())) return undefined
    return await createWorkspaceKeys({ workspaces, notices: database.notices, sealingKey, now }).create('Default')
  })
}
