import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorWorkspace } from '../../schemas/workspaces.ts'
import { type CountedWorkspaceDeps, requireCountedWorkspace } from './require-workspace.ts'

/** GET /operator/workspaces/:id */
export function getWorkspace(app: HttpServer, deps: CountedWorkspaceDeps) {
  app.get(
    '/operator/workspaces/:id',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
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
