import { onceOnly } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { namedRequest } from '#platform/http/idempotency/idempotency-key.ts'
import { sendOnce } from '#platform/http/idempotency/send-idempotent.ts'
import type { PublicationsDeps } from '../deps.ts'
import { pathIsTaken } from '../errors.ts'
import { UploadRequest, UploadTicket } from '../schemas/uploads.ts'
import { issueTicket, readUploadPath } from '../uploads/upload-tickets.ts'

/** POST /publications/upload-url */
export function createUploadUrl(app: HttpServer, deps: PublicationsDeps) {
  const { db, now } = deps
  app.post(
    '/publications/upload-url',
    {
      schema: {
        operationId: 'createUploadUrl',
        summary: 'Get an upload address',
        description: 'A ticket for one upload, which has to begin within two hours.',
        tags: ['Uploads'],
        body: UploadRequest,
        idempotent: true,
        problems: [pathIsTaken],
        response: { 200: UploadTicket },
      },
    },
    async (request, reply) => {
      const { workspaceId, body } = request
      const path = readUploadPath(body.path)
      const named = namedRequest(request, workspaceId, 'createUploadUrl')
      const answer = await onceOnly(db, named, now(), async (transaction) => ({
        status: 200,
        body: await issueTicket(transaction, deps, workspaceId, path),
      }))
      // A small file is uploaded faster than a thread starts.
      deps.renderer.warm()
      return sendOnce(reply, answer)
    },
  )
}
