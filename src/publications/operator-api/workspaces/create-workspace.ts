import type { HttpServer } from '#platform/http/http-server.ts'
import { readWorkspaceName } from '../../domain/workspace-name.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { CreatedWorkspace, NewWorkspace } from '../../schemas/workspaces.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requireCountedWorkspace } from './require-workspace.ts'

/** POST /operator/workspaces */
export function createWorkspace(app: HttpServer, deps: OperatorDeps) {
  app.post<{ Body: NewWorkspace }>(
    '/operator/workspaces',
    {
      schema: {
        operationId: 'operatorCreateWorkspace',
        summary: 'Create a workspace',
        description: 'With its first API key, which is in the answer in plain text.',
        tags: ['Workspaces'],
        body: NewWorkspace,
        response: { 201: CreatedWorkspace },
      },
    },
    async ({ body }, reply) => {
      const { id, api_key } = await deps.workspaceKeys.create(readWorkspaceName(body.name))
      const workspace = workspaceJson(await requireCountedWorkspace(deps, id))
      return reply.code(201).send({ ...workspace, api_key })
    },
  )
}
