import { inTransaction } from '#platform/database/transaction.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  uploadIsUsed,
  uploadNotFound,
  workspaceNotFound,
} from '../errors.ts'
import type { OperatorDeps } from '../operator-deps.ts'
import { operatorPublicationJson } from '../operator-publication-json.ts'
import { WorkspaceParams } from '../operator-schemas/addresses.ts'
import { OperatorNewPublication, OperatorPublication } from '../operator-schemas/publication.ts'
import { prepareFile } from '../prepare-file.ts'
import { readTitle } from '../read-title.ts'
import { forWorkspace } from '../require-workspace.ts'

/** POST /operator/workspaces/:id/publications */
export function operatorCreatePublication(app: HttpServer, deps: OperatorDeps) {
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
