import { randomUUID } from 'node:crypto'
import { onceOnly } from '#platform/database/idempotency.ts'
import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { namedRequest } from '#platform/http/idempotency-key.ts'
import { sendOnce } from '#platform/http/send-once.ts'
import type { PublicationsDeps } from '../deps.ts'
import { parseStoragePath } from '../domain/storage-path.ts'
import { pathIsTaken } from '../errors.ts'
import type { NewTicket } from '../storage/uploads-store.ts'
import { UploadRequest, UploadTicket } from '../upload-schemas.ts'

/** How long an upload may be begun. */
const TICKET_LIFETIME_MS = 2 * 3_600_000

/** POST /publications/upload-url */
export function createUploadUrl(app: HttpServer, deps: PublicationsDeps) {
  const { db, uploads, now } = deps
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
      const path = body.path == null ? undefined : requirePath(body.path)
      const answer = await onceOnly(
        db,
        namedRequest(request, workspaceId, 'createUploadUrl'),
        now(),
        async (transaction) => {
          const ticket = newTicket(workspaceId, path, now())
          await uploads.create(transaction, ticket)
          return { status: 200, body: ticketJson(ticket, deps) }
        },
      )
      return sendOnce(reply, answer)
    },
  )
}

function requirePath(text: string): string {
  const parsed = parseStoragePath(text)
  if ('problem' in parsed) throw invalidFields([{ path: 'path', message: parsed.problem }])
  return parsed.path
}

function newTicket(workspaceId: string, path: string | undefined, nowMs: number): NewTicket {
  const storageKey = randomUUID()
  return {
    storage_key: storageKey,
    workspace_id: workspaceId,
    path: path ?? `${storageKey}.pdf`,
    created_at: nowMs,
    expires_at: nowMs + TICKET_LIFETIME_MS,
  }
}

function ticketJson(ticket: NewTicket, { signers, addresses }: PublicationsDeps): UploadTicket {
  const { storage_key, workspace_id, path, expires_at } = ticket
  const address = signers.upload.sign({ method: 'PUT', path: `/uploads/${storage_key}`, expiresAtMs: expires_at })
  return {
    uploadUrl: addresses.base() + address,
    token: new URLSearchParams(address.split('?')[1]).get('signature')!,
    storageKey: storage_key,
    pdfPath: `${workspace_id}/${path}`,
    workspaceId: workspace_id,
  }
}
