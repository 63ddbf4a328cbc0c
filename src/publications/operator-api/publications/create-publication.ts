import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PrepareFile } from '../../documents/prepare-file.ts'
import { parseTitle } from '../../domain/title.ts'
import { titleOfFile } from '../../domain/title-of-file.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  publicationsQuotaReached,
  uploadIsUsed,
  uploadNotFound,
  workspaceNotFound,
} from '../../errors.ts'
import type { RenderQueue } from '../../rendering/jobs/render-queue.ts'
import {
  type OperatorPublicationDeps,
  operatorPublicationJson,
} from '../../representations/operator-publication-json.ts'
import { WorkspaceParams } from '../../schemas/addresses.ts'
import { OperatorPublication, OperatorPublicationCreate } from '../../schemas/operator-publication.ts'
import type { PublicationsStore } from '../../storage/publications-store.ts'
import type { PublicationsTables } from '../../storage/tables.ts'
import { forWorkspace, type RequireWorkspaceDeps } from '../workspaces/require-workspace.ts'

type Deps = RequireWorkspaceDeps &
  OperatorPublicationDeps & {
    db: Kysely<PublicationsTables>
    prepareFile: PrepareFile
    publications: Pick<PublicationsStore, 'create'>
    renderQueue: Pick<RenderQueue, 'wake'>
  }

/** POST /operator/workspaces/:id/publications */
export function createPublication(app: HttpServer, deps: Deps) {
  const { db, prepareFile, publications, renderQueue } = deps
  app.post(
    '/operator/workspaces/:id/publications',
    {
      config: { operator: { role: 'editor', effect: 'changes', also: ['releases'] } },
      schema: {
        operationId: 'operatorCreatePublication',
        summary: 'Create a publication',
        description: `Creates a publication from an uploaded file, which is opened before the answer, as in the API for workspaces. If
the upload already belongs to a publication, \`slug\` of the 409 names it. Without \`title\` the publication gets the title that
the file states, or else \`file_name\`.`,
        tags: ['Library'],
        params: WorkspaceParams,
        body: OperatorPublicationCreate,
        problems: [
          workspaceNotFound,
          pathMismatch,
          uploadNotFound,
          nothingUploaded,
          uploadIsUsed,
          documentRefused,
          publicationsQuotaReached,
        ],
        response: { 201: OperatorPublication },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      const { id } = params
      if (body.draft !== true) await request.demandEffect('releases')
      const created = await forWorkspace(deps, id, async () => {
        const file = await prepareFile(id, body)
        const title =
          body.title === undefined ? titleOfFile(file.facts.metadata.title, body.file_name!) : parseTitle(body.title)
        return await inTransaction(db, (transaction) =>
          publications.create(transaction, { workspaceId: id, title, isDraft: body.draft, ...file }),
        )
      })
      renderQueue.wake()
      return reply.code(201).send(await operatorPublicationJson(deps, created.id))
    },
  )
}
