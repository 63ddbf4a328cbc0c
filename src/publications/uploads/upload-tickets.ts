import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { invalidFields } from '#platform/errors.ts'
import type { PublicationsDeps } from '../deps.ts'
import { parseStoragePath } from '../domain/storage-path.ts'
import type { UploadTicket } from '../schemas/uploads.ts'
import type { PublicationsTables } from '../storage/tables.ts'
import type { NewTicket } from '../storage/uploads-store.ts'

/** How long an upload may be begun. */
const TICKET_LIFETIME_MS = 2 * 3_600_000

/** The path that a file is to have within its workspace; undefined where none was asked for. @throws badRequest */
export function readUploadPath(text: string | null | undefined): string | undefined {
  if (text == null) return undefined
  const parsed = parseStoragePath(text)
  if ('problem' in parsed) throw invalidFields([{ path: 'path', message: parsed.problem }])
  return parsed.path
}

/**
 * Makes a ticket for one upload.
 * @throws pathIsTaken when the path holds a file already, keyInvalid when the workspace is gone
 */
export async function issueTicket(
  transaction: Transaction<PublicationsTables>,
  deps: Pick<PublicationsDeps, 'uploads' | 'signers' | 'addresses' | 'now'>,
  workspaceId: string,
  path: string | undefined,
): Promise<UploadTicket> {
  const ticket = newTicket(workspaceId, path, deps.now())
  await deps.uploads.create(transaction, ticket)
  return ticketJson(ticket, deps)
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

function ticketJson(
  ticket: NewTicket,
  { signers, addresses }: Pick<PublicationsDeps, 'signers' | 'addresses'>,
): UploadTicket {
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
