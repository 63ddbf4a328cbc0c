import type { HttpServer } from '#platform/http/http-server.ts'
import { insufficientRole } from '#platform/http/operators/operator-errors.ts'
import { parseWorkspaceName } from '../../domain/workspace-name.ts'
import { workspaceNotFound } from '../../errors.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorWorkspace, WorkspaceUpdate } from '../../schemas/workspaces.ts'
import type { OperatorWorkspacesStore } from '../../storage/operator-workspaces-store.ts'
import { requireCountedWorkspace } from './require-workspace.ts'

type Deps = { operatorWorkspaces: Pick<OperatorWorkspacesStore, 'find' | 'update'> }

const LIMITS = ['max_bytes', 'max_publications'] as const

/** PATCH /operator/workspaces/:id */
export function updateWorkspace(app: HttpServer, deps: Deps) {
  app.patch(
    '/operator/workspaces/:id',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorUpdateWorkspace',
        summary: 'Change the name or the limits of a workspace',
        description: 'Operators who are limited to some workspaces cannot change the limits.',
        tags: ['Workspaces'],
        params: WorkspaceParams,
        body: WorkspaceUpdate,
        problems: [workspaceNotFound, insufficientRole],
        response: { 200: OperatorWorkspace },
      },
    },
    async ({ params, body, operatorAccess }) => {
      const { name, ...limits } = body
      // A limit would bind nobody who could change it.
      const before = await requireCountedWorkspace(deps, params.id)
      if (LIMITS.some((limit) => limits[limit] !== undefined && limits[limit] !== before[limit]))
        operatorAccess.require('editor', 'everything')
      await deps.operatorWorkspaces.update(params.id, {
        ...limits,
        ...(name === undefined ? {} : { name: parseWorkspaceName(name) }),
      })
      return workspaceJson(await requireCountedWorkspace(deps, params.id))
    },
  )
}
