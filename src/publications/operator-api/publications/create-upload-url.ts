import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { parseStoragePath } from '../../domain/storage-path.ts'
import { bytesQuotaReached, pathIsTaken, tooManyTickets, workspaceNotFound } from '../../errors.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorUploadTicketCreate } from '../../schemas/operator-publication.ts'
import { UploadTicket } from '../../schemas/uploads.ts'
import type { PublicationsTables } from '../../storage/tables.ts'
import type { UploadTickets } from '../../uploads/upload-tickets.ts'
import { forWorkspace, type RequireWorkspaceDeps } from '../workspaces/require-workspace.ts'

type Deps = RequireWorkspaceDeps & { db: Kysely<PublicationsTables>; tickets: Pick<UploadTickets, 'issue'> }

/** POST /operator/workspaces/:id/upload-url */
export function createUploadUrl(app: HttpServer, deps: Deps) {
  app.post(
    '/operator/workspaces/:id/upload-url',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorCreateUploadUrl',
        summary: 'Get an upload address',
        description:
          'Issues a ticket for one upload, as in the API for workspaces; send the file to its address by PUT.',
        tags: ['Library'],
        params: WorkspaceParams,
        body: OperatorUploadTicketCreate,
        problems: [workspaceNotFound, pathIsTaken, bytesQuotaReached, tooManyTickets],
        response: { 200: UploadTicket },
      },
    },
    async ({ params, body }) => {
      const path = body.path == null ? undefined : parseStoragePath(body.path)
      return await forWorkspace(deps, params.id, () =>
        inTransaction(deps.db, (transaction) => deps.tickets.issue(transaction, params.id, path)),
      )
    },
  )
}
