import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../errors.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { workspaceJson } from '../operator-json.ts'
import { WorkspaceParams } from '../operator-schemas/addresses.ts'
import { OperatorWorkspace, WorkspaceChange } from '../operator-schemas/workspaces.ts'
import { readWorkspaceName } from '../read-workspace-name.ts'
import { requireCountedWorkspace } from '../require-workspace.ts'

/** PATCH /operator/workspaces/:id */
export function operatorUpdateWorkspace(app: HttpServer, deps: OperatorDeps) {
  app.patch<{ Params: WorkspaceParams; Body: WorkspaceChange }>(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorUpdateWorkspace',
        summary: 'Rename a workspace',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: WorkspaceChange,
        problems: [workspaceNotFound],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params, body }) => {
      if (body.name !== undefined) await deps.operatorWorkspaces.rename(params.id, readWorkspaceName(body.name))
      return workspaceJson(await requireCountedWorkspace(deps, params.id))
    },
  )
}
