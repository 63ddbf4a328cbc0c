import { inTransaction } from '#platform/database/transaction.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { pathIsTaken, workspaceNotFound } from '../../errors.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorUploadRequest } from '../../schemas/operator-publication.ts'
import { UploadTicket } from '../../schemas/uploads.ts'
import { issueTicket, readUploadPath } from '../../uploads/upload-tickets.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { forWorkspace } from '../workspaces/require-workspace.ts'

/** POST /operator/workspaces/:id/upload-url */
export function createUploadUrl(app: HttpServer, deps: OperatorDeps) {
  app.post<{ Params: WorkspaceParams; Body: OperatorUploadRequest }>(
    '/operator/workspaces/:id/upload-url',
    {
      schema: {
        operationId: 'operatorCreateUploadUrl',
        summary: 'Get an upload address',
        description: 'The same ticket for one upload as the API gives; the file is sent to its address by PUT.',
        tags: ['Library'],
        params: WorkspaceParams,
        body: OperatorUploadRequest,
        problems: [workspaceNotFound, pathIsTaken],
        response: { 200: UploadTicket },
      },
    },
    async ({ params, body }) => {
      const path = readUploadPath(body.path)
      return await forWorkspace(deps, params.id, () =>
        inTransaction(deps.db, (transaction) => issueTicket(transaction, deps, params.id, path)),
      )
    },
  )
}
