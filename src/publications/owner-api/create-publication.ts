import type { Kysely } from 'kysely'
import { runIdempotent } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { idempotencyKeyOf } from '#platform/http/idempotency/idempotency-key.ts'
import { sendIdempotent } from '#platform/http/idempotency/send-idempotent.ts'
import type { PrepareFile } from '../documents/prepare-file.ts'
import type { Addresses } from '../domain/addresses.ts'
import { parseTitle } from '../domain/title.ts'
import {
  documentRefused,
  nothingUploaded,
  pathMismatch,
  publicationsQuotaReached,
  uploadIsUsed,
  uploadNotFound,
} from '../errors.ts'
import type { RenderQueue } from '../rendering/jobs/render-queue.ts'
import { publicationJson } from '../representations/publication-json.ts'
import { Publication, PublicationCreate } from '../schemas/publication.ts'
import type { PublicationsStore } from '../storage/publications-store.ts'
import type { PublicationsTables } from '../storage/tables.ts'

type Deps = {
  db: Kysely<PublicationsTables>
  prepareFile: PrepareFile
  publications: Pick<PublicationsStore, 'create'>
  renderQueue: Pick<RenderQueue, 'wake'>
  addresses: Addresses
  now: () => number
}

/** POST /publications */
export function createPublication(app: HttpServer, deps: Deps) {
  const { db, prepareFile, publications, renderQueue, addresses, now } = deps
  app.post(
    '/publications',
    {
      schema: {
        operationId: 'createPublication',
        summary: 'Create a publication',
        description: `Creates a publication from an uploaded file. The file is opened before the answer: one that cannot be
published is refused with 422, and \`reason\` gives a code. The new publication is \`processing\`, and its PDF is available
at once. If the upload already belongs to a publication, \`slug\` of the 409 names it. The slug is derived from the title.`,
        tags: ['Publications'],
        permission: 'publish',
        body: PublicationCreate,
        idempotent: true,
        problems: [
          pathMismatch,
          uploadNotFound,
          nothingUploaded,
          uploadIsUsed,
          documentRefused,
          publicationsQuotaReached,
        ],
        response: { 201: Publication },
      },
    },
    async (request, reply) => {
      const { workspaceId, body } = request
      const title = parseTitle(body.title)
      // Problems of the file are thrown inside only, because a repeated request gets its first answer instead.
      const preparing = prepareFile(workspaceId, body)
      await Promise.allSettled([preparing])
      const named = idempotencyKeyOf(request, workspaceId, 'createPublication')
      const answer = await runIdempotent(db, named, now(), async (transaction) => {
        const file = await preparing
        const isDraft = request.body.draft === true
        const created = await publications.create(transaction, { workspaceId, title, isDraft, ...file })
        const body = publicationJson(created, { ...file, failedPages: [] }, addresses)
        return { status: 201, body, subjectId: created.id }
      })
      if (!answer.replayed) renderQueue.wake()
      return sendIdempotent(reply, answer)
    },
  )
}
