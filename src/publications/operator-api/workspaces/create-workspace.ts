import type { HttpServer } from '#platform/http/http-server.ts'
import { parseWorkspaceName } from '../../domain/workspace-name.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { CreatedWorkspace, WorkspaceCreate } from '../../schemas/workspaces.ts'
import type { WorkspaceKeys } from '../../workspaces/workspace-keys.ts'
import { type CountedWorkspaceDeps, requireCountedWorkspace } from './require-workspace.ts'

type Deps = CountedWorkspaceDeps & { workspaceKeys: Pick<WorkspaceKeys, 'create'> }

/** POST /operator/workspaces */
export function createWorkspace(app: HttpServer, deps: Deps) {
  app.post(
    '/operator/workspaces',
    {
      config: { operator: { role: 'editor', effect: 'changes', reach: 'everything' } },
      schema: {
        operationId: 'operatorCreateWorkspace',
        summary: 'Create a workspace',
        description: 'Creates a workspace with its first API key, which the answer contains in plain text.',
        tags: ['Workspaces'],
        body: WorkspaceCreate,
        response: { 201: CreatedWorkspace },
      },
    },
    async ({ body }, reply) => {
      const { id, api_key } = await deps.workspaceKeys.create(parseWorkspaceName(body.name))
      const workspace = workspaceJson(await requireCountedWorkspace(deps, id))
      return reply.code(201).send({ ...workspace, api_key })
    },
  )
}
