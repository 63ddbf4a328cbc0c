import type { HttpServer } from '#platform/http/http-server.ts'
import type { PublicationChanges } from '../documents/publication-changes.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  publicationNotFound,
  uploadIsUsed,
  uploadNotFound,
} from '../errors.ts'
import { type OwnerJsonDeps, ownerJson } from '../representations/publication-json.ts'
import { FileReplace, Publication } from '../schemas/publication.ts'
import { SlugParams } from '../schemas/slug-params.ts'

type Deps = OwnerJsonDeps & { publicationChanges: Pick<PublicationChanges, 'replaceFile'> }

/** PUT /publications/:slug/file */
export function replaceFile(app: HttpServer, deps: Deps) {
  app.put(
    '/publications/:slug/file',
    {
      schema: {
        operationId: 'replacePublicationFile',
        summary: 'Replace the file of a publication',
        description: `Replaces the file by a new upload. The publication is \`processing\` again, and its addresses lead to the new
file at once. The public page shows the old file until the new one is \`ready\`; addresses of the old file and of its images
work until a day after that.`,
        tags: ['Publications'],
        permission: 'publish',
        params: SlugParams,
        body: FileReplace,
        problems: [publicationNotFound, pathMismatch, uploadNotFound, nothingUploaded, uploadIsUsed, documentRefused],
        response: { 200: Publication },
      },
    },
    async ({ workspaceId, params, body }) =>
      await ownerJson(deps, await deps.publicationChanges.replaceFile(workspaceId, params.slug, body)),
  )
}
