import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../errors.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { workspaceJson } from '../operator-json.ts'
import { WorkspaceParams } from '../operator-schemas/addresses.ts'
import { OperatorWorkspace } from '../operator-schemas/workspaces.ts'
import { requireCountedWorkspace } from '../require-workspace.ts'

/** GET /operator/workspaces/:id */
export function operatorGetWorkspace(app: HttpServer, deps: OperatorDeps) {
  app.get<{ Params: WorkspaceParams }>(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorGetWorkspace',
        summary: 'Get a workspace',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params }) => workspaceJson(await requireCountedWorkspace(deps, params.id)),
  )
}
