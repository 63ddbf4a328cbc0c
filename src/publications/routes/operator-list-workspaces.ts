import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { workspaceJson } from '../operator-json.ts'
import { OperatorWorkspaceList } from '../operator-schemas/workspaces.ts'

/** GET /operator/workspaces */
export function operatorListWorkspaces(app: HttpServer, { operatorWorkspaces }: OperatorDeps) {
  app.get(
    '/operator/workspaces',
    {
      schema: {
        operationId: 'operatorListWorkspaces',
        summary: 'List workspaces',
        description: 'All workspaces, newest first, each with what it holds.',
        tags: ['Workspaces'],
        response: { 200: OperatorWorkspaceList },
      },
    },
    async () => ({ workspaces: (await operatorWorkspaces.list()).map(workspaceJson) }),
  )
}
