import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationChanges } from '../../documents/publication-changes.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  publicationNotFound,
  uploadIsUsed,
  uploadNotFound,
} from '../../errors.ts'
import {
  type OperatorPublicationDeps,
  operatorPublicationJson,
} from '../../representations/operator-publication-json.ts'
import { PublicationParams } from '../../schemas/addresses.ts'
import { OperatorPublication } from '../../schemas/operator-publication.ts'
import { FileReplace } from '../../schemas/publication.ts'
import { requirePublication } from './require-publication.ts'

type Deps = OperatorPublicationDeps & { publicationChanges: Pick<PublicationChanges, 'replaceFile'> }

/** PUT /operator/publications/:id/file */
export function replaceFile(app: HttpServer, deps: Deps) {
  app.put(
    '/operator/publications/:id/file',
    {
      config: { operator: { role: 'editor', effect: 'releases' } },
      schema: {
        operationId: 'operatorReplacePublicationFile',
        summary: 'Replace the file of a publication by its id',
        description: 'With a new upload to its workspace. Readers see the file before until the new one is `ready`.',
        tags: ['Library'],
        params: PublicationParams,
        body: FileReplace,
        problems: [publicationNotFound, pathMismatch, uploadNotFound, nothingUploaded, uploadIsUsed, documentRefused],
        response: { 200: OperatorPublication },
      },
    },
    async ({ params, body }) => {
      const { id, workspaceId, slug } = await requirePublication(deps, params.id)
      await deps.publicationChanges.replaceFile(workspaceId, slug, body)
      return await operatorPublicationJson(deps, id)
    },
  )
}
