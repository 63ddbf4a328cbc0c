import { inTransaction } from '#platform/database/transaction.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { prepareFile } from '../../documents/prepare-file.ts'
import { readTitle } from '../../domain/title.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  uploadIsUsed,
  uploadNotFound,
  workspaceNotFound,
} from '../../errors.ts'
import { operatorPublicationJson } from '../../representations/operator-publication-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorNewPublication, OperatorPublication } from '../../schemas/operator-publication.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { forWorkspace } from '../workspaces/require-workspace.ts'

/** POST /operator/workspaces/:id/publications */
export function createPublication(app: HttpServer, deps: OperatorDeps) {
  const { db, publications, renderQueue } = deps
  app.post<{ Params: WorkspaceParams; Body: OperatorNewPublication }>(
    '/operator/workspaces/:id/publications',
    {
      schema: {
        operationId: 'operatorCreatePublication',
        summary: 'Create a publication',
        description: `From an uploaded file, which is opened before the answer, as by the API. Where the upload is a publication
already, \`slug\` of the 409 names it.`,
        tags: ['Library'],
        params: WorkspaceParams,
        body: OperatorNewPublication,
        problems: [workspaceNotFound, pathMismatch, uploadNotFound, nothingUploaded, uploadIsUsed, documentRefused],
        response: { 201: OperatorPublication },
      },
    },
    async ({ params: { id }, body }, reply) => {
      const title = readTitle(body.title)
      const created = await forWorkspace(deps, id, async () => {
        const file = await prepareFile(deps, id, body)
        return await inTransaction(db, (transaction) =>
          publications.create(transaction, { workspaceId: id, title, ...file }),
        )
      })
      renderQueue.wake()
      return reply.code(201).send(await operatorPublicationJson(deps, created.id))
    },
  )
}
