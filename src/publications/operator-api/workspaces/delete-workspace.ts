import type { Notices } from '#platform/database/notices.ts'
import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import type { DeliveredFiles } from '../../delivery/delivered-files.ts'
import type { DeletionWorker } from '../../documents/deletion-worker.ts'
import { workspaceNotFound } from '../../errors.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import type { WorkspacesStore } from '../../storage/workspaces-store.ts'
import { requireWorkspace } from './require-workspace.ts'

type Deps = {
  workspaces: Pick<WorkspacesStore, 'find' | 'end'>
  notices: Notices | undefined
  deliveredFiles: Pick<DeliveredFiles, 'announceChange'>
  deletionWorker: Pick<DeletionWorker, 'wake'>
  now: () => number
}

/** DELETE /operator/workspaces/:id */
export function deleteWorkspace(app: HttpServer, deps: Deps) {
  const { workspaces, notices, deliveredFiles, deletionWorker, now } = deps
  app.delete(
    '/operator/workspaces/:id',
    {
      config: { operator: { role: 'editor', effect: 'erases', reach: 'everything' } },
      schema: {
        operationId: 'operatorDeleteWorkspace',
        summary: 'Delete a workspace',
        description: `Permanently deletes a workspace with its keys, publications and files. Keys and public pages stop working at
once; files are removed in the background.`,
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 204: noContent('The workspace is deleted.') },
      },
    },
    async ({ params }, reply) => {
      const { id } = await requireWorkspace(deps, params.id)
      if (!(await workspaces.end(id, now()))) throw workspaceNotFound()
      await deliveredFiles.announceChange(id)
      await announceEndedTokens(notices, id)
      deletionWorker.wake()
      return reply.code(204).send()
    },
  )
}
