import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceJson } from '../../representations/operator-json.ts'
import { OperatorWorkspaceList } from '../../schemas/workspaces.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** GET /operator/workspaces */
export function listWorkspaces(app: HttpServer, { operatorWorkspaces }: OperatorDeps) {
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
