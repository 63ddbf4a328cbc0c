import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationsDeps } from '../deps.ts'
import { changeFile } from '../documents/publication-changes.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  publicationNotFound,
  uploadIsUsed,
  uploadNotFound,
} from '../errors.ts'
import { ownerJson } from '../representations/publication-json.ts'
import { Publication, UploadReference } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

/** PUT /publications/:slug/file */
export function replaceFile(app: HttpServer, deps: PublicationsDeps) {
  app.put<{ Params: { slug: string }; Body: UploadReference }>(
    '/publications/:slug/file',
    {
      schema: {
        operationId: 'replacePublicationFile',
        summary: 'Replace the file of a publication',
        description: `With a new upload. The publication is \`processing\` again, and its addresses are those of the new file at
once; its public page shows the file before until the new one is \`ready\`. Addresses of the file before and of its images
work until then and for a day beyond.`,
        tags: ['Publications'],
        params: SlugParams,
        body: UploadReference,
        problems: [publicationNotFound, pathMismatch, uploadNotFound, nothingUploaded, uploadIsUsed, documentRefused],
        response: { 200: Publication },
      },
    },
    async ({ workspaceId, params, body }) =>
      await ownerJson(deps, await changeFile(deps, workspaceId, params.slug, body)),
  )
}
