import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { OperatorWorkspaceList } from '../../schemas/workspaces.ts'
import type { OperatorWorkspacesStore } from '../../storage/operator-workspaces-store.ts'

type Deps = { operatorWorkspaces: Pick<OperatorWorkspacesStore, 'list'> }

/** GET /operator/workspaces */
export function listWorkspaces(app: HttpServer, { operatorWorkspaces }: Deps) {
  app.get(
    '/operator/workspaces',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListWorkspaces',
        summary: 'List workspaces',
        description: 'Returns the workspaces that the operator can reach, newest first, with counts of their contents.',
        tags: ['Workspaces'],
        response: { 200: OperatorWorkspaceList },
      },
    },
    async ({ operatorAccess }) => ({
      workspaces: (await operatorWorkspaces.list(operatorAccess.reach)).map(workspaceJson),
    }),
  )
}
