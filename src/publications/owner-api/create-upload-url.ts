import type { Kysely } from 'kysely'
import { runIdempotent } from '#platform/database/idempotency.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { idempotencyKeyOf } from '#platform/http/idempotency/idempotency-key.ts'
import { sendIdempotent } from '#platform/http/idempotency/send-idempotent.ts'
import { parseStoragePath } from '../domain/storage-path.ts'
import { bytesQuotaReached, pathIsTaken, tooManyTickets } from '../errors.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import { UploadTicket, UploadTicketCreate } from '../schemas/uploads.ts'
import type { PublicationsTables } from '../storage/tables.ts'
import type { UploadTickets } from '../uploads/upload-tickets.ts'

type Deps = {
  db: Kysely<PublicationsTables>
  tickets: Pick<UploadTickets, 'issue'>
  renderer: Pick<Renderer, 'warm'>
  now: () => number
}

/** POST /publications/upload-url */
export function createUploadUrl(app: HttpServer, { db, tickets, renderer, now }: Deps) {
  app.post(
    '/publications/upload-url',
    {
      schema: {
        operationId: 'createUploadUrl',
        summary: 'Get an upload address',
        description: 'Issues a ticket for one upload, which must begin within two hours.',
        tags: ['Uploads'],
        permission: 'publish',
        body: UploadTicketCreate,
        idempotent: true,
        problems: [pathIsTaken, bytesQuotaReached, tooManyTickets],
        response: { 200: UploadTicket },
      },
    },
    async (request, reply) => {
      const { workspaceId, body } = request
      const path = body.path == null ? undefined : parseStoragePath(body.path)
      const named = idempotencyKeyOf(request, workspaceId, 'createUploadUrl')
      const answer = await runIdempotent(db, named, now(), async (transaction) => {
        const ticket = await tickets.issue(transaction, workspaceId, path)
        return { status: 200, body: ticket, subjectId: ticket.storageKey }
      })
      // A small file is uploaded faster than a thread starts.
      renderer.warm()
      return sendIdempotent(reply, answer)
    },
  )
}
