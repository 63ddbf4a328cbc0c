import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../errors.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { workspaceKeyJson } from '../operator-json.ts'
import { WorkspaceParams } from '../operator-schemas/addresses.ts'
import { WorkspaceKey } from '../operator-schemas/workspaces.ts'
import { requireWorkspace } from '../require-workspace.ts'

/** GET /operator/workspaces/:id/key */
export function operatorGetKey(app: HttpServer, deps: OperatorDeps) {
  const { workspaces, sealingKey, now } = deps
  app.get<{ Params: WorkspaceParams }>(
    '/operator/workspaces/:id/key',
    {
      schema: {
        operationId: 'operatorGetKey',
        summary: "Show a workspace's API key",
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: WorkspaceKey },
      },
    },
    async ({ params }) => {
      const { id } = await requireWorkspace(deps, params.id)
      return workspaceKeyJson(await workspaces.keys(id, now()), sealingKey)
    },
  )
}
