import { onceOnly } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { namedRequest } from '#platform/http/idempotency/idempotency-key.ts'
import { sendOnce } from '#platform/http/idempotency/send-idempotent.ts'
import type { PublicationsDeps } from '../deps.ts'
import { prepareFile } from '../documents/prepare-file.ts'
import { readTitle } from '../domain/title.ts'
import { documentRefused, nothingUploaded, pathMismatch, uploadIsUsed, uploadNotFound } from '../errors.ts'
import { publicationJson } from '../representations/publication-json.ts'
import { NewPublication, Publication } from '../schemas/publication.ts'

/** POST /publications */
export function createPublication(app: HttpServer, deps: PublicationsDeps) {
  const { db, publications, renderQueue, addresses, now } = deps
  app.post(
    '/publications',
    {
      schema: {
        operationId: 'createPublication',
        summary: 'Create a publication',
        description: `From an uploaded file, which is opened before the answer: a file that cannot be published is refused with
422, and \`reason\` says why in a word. The publication is \`processing\` from now on, and its PDF is there at once. Where
the upload is a publication already, \`slug\` of the 409 names it. The slug is made from the title.`,
        tags: ['Publications'],
        body: NewPublication,
        idempotent: true,
        problems: [pathMismatch, uploadNotFound, nothingUploaded, uploadIsUsed, documentRefused],
        response: { 201: Publication },
      },
    },
    async (request, reply) => {
      const { workspaceId, body } = request
      const title = readTitle(body.title)
      // What is wrong with the file is told inside only, where a repeated request gets its first answer instead.
      const preparing = prepareFile(deps, workspaceId, body)
      await Promise.allSettled([preparing])
      const named = namedRequest(request, workspaceId, 'createPublication')
      const answer = await onceOnly(db, named, now(), async (transaction) => {
        const file = await preparing
        const created = await publications.create(transaction, { workspaceId, title, ...file })
        return { status: 201, body: publicationJson(created, { ...file, failedPages: [] }, addresses) }
      })
      if (!answer.replayed) renderQueue.wake()
      return sendOnce(reply, answer)
    },
  )
}
