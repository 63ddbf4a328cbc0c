import type { HttpServer } from '#platform/http/http-server.ts'
import { parseWorkspaceName } from '../../domain/workspace-name.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorWorkspace, WorkspaceUpdate } from '../../schemas/workspaces.ts'
import type { OperatorWorkspacesStore } from '../../storage/operator-workspaces-store.ts'
import { requireCountedWorkspace } from './require-workspace.ts'

type Deps = { operatorWorkspaces: Pick<OperatorWorkspacesStore, 'find' | 'update'> }

/** PATCH /operator/workspaces/:id */
export function updateWorkspace(app: HttpServer, deps: Deps) {
  app.patch(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorUpdateWorkspace',
        summary: 'Change the name or the limits of a workspace',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: WorkspaceUpdate,
        problems: [workspaceNotFound],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params, body }) => {
      const { name, ...limits } = body
      await deps.operatorWorkspaces.update(params.id, {
        ...limits,
        ...(name === undefined ? {} : { name: parseWorkspaceName(name) }),
      })
      return workspaceJson(await requireCountedWorkspace(deps, params.id))
    },
  )
}
