import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { workspaceNotFound } from '../../errors.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { requireWorkspace } from './require-workspace.ts'

/** DELETE /operator/workspaces/:id */
export function deleteWorkspace(app: HttpServer, deps: OperatorDeps) {
  const { workspaces, database, deliveredFiles, remover, now } = deps
  app.delete<{ Params: WorkspaceParams }>(
    '/operator/workspaces/:id',
    {
      schema: {
        operationId: 'operatorDeleteWorkspace',
        summary: 'Delete a workspace',
        description: `With its keys, publications and files, for good. Keys and public pages fail at once; files are removed in the
background.`,
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 204: Type.Null({ description: 'The workspace is gone.' }) },
      },
    },
    async ({ params }, reply) => {
      const { id } = await requireWorkspace(deps, params.id)
      if (!(await workspaces.end(id, now()))) throw workspaceNotFound()
      await deliveredFiles.announceChange(id)
      await announceEndedTokens(database.notices, id)
      remover.wake()
      return reply.code(204).send()
    },
  )
}
