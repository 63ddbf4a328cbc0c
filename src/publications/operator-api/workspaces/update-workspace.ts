import type { HttpServer } from '#platform/http/http-server.ts'
import { parseWorkspaceName } from '../../domain/workspace-name.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorWorkspace, WorkspaceUpdate } from '../../schemas/workspaces.ts'
import type { OperatorWorkspacesStore } from '../../storage/operator-workspaces-store.ts'
import { requireCountedWorkspace } from './require-workspace.ts'

type Deps = { operatorWorkspaces: Pick<OperatorWorkspacesStore, 'find' | 'rename'> }

/** PATCH /operator/workspaces/:id */
export function updateWorkspace(app: HttpServer, deps: Deps) {
  app.patch(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorUpdateWorkspace',
        summary: 'Rename a workspace',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: WorkspaceUpdate,
        problems: [workspaceNotFound],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params, body }) => {
      if (body.name !== undefined) await deps.operatorWorkspaces.rename(params.id, parseWorkspaceName(body.name))
      return workspaceJson(await requireCountedWorkspace(deps, params.id))
    },
  )
}
