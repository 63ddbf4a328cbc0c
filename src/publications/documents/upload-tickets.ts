import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { AddressSigner } from '#platform/credentials/signed-address.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import type { Addresses } from '../model/config.ts'
import { addressExpired, addressForged, pathIsTaken, ticketUsed, uploadNotFound } from '../model/errors.ts'
import { DOCUMENTS_FOLDER } from '../model/files-store.ts'
import type { PublicationsTables, UploadRow } from '../model/tables.ts'
import type { NewTicket, UploadsStore } from '../model/uploads-store.ts'
import type { SourceType, UploadTicket } from './schemas.ts'
import type { DocumentsDeps } from './store-upload.ts'

/** Upload tickets: each is the right to upload one file to one path. */
export type UploadTickets = ReturnType<typeof createUploadTickets>

/** An upload must begin within this time. */
export const TICKET_LIFETIME_MS = 2 * 3_600_000

export function createUploadTickets(
  uploads: UploadsStore,
  signer: AddressSigner,
  addresses: Addresses,
  now: () => number,
) {
  /** Finds the ticket of an address. `outlives` tells whether it is still good if the address has expired. */
  async function find(url: string, storageKey: string, outlives: (ticket: UploadRow) => boolean): Promise<UploadRow> {
    const { result } = signer.verify('PUT', url, now())
    if (result === 'forged') throw addressForged({ refused: { kind: 'signed_address', sha256: tokenHash(url) } })
    const ticket = await uploads.findByTicket(storageKey)
    if (result === 'expired' && !(ticket !== undefined && outlives(ticket))) throw addressExpired()
    if (ticket === undefined) throw uploadNotFound()
    return ticket
  }

  async function requirePath({ workspace_id, path }: UploadRow): Promise<void> {
    if ((await uploads.pathHolder(workspace_id, path)) !== undefined) throw pathIsTaken()
  }

  return {
    /**
     * Issues a ticket for a path, or for a path of its own.
     * @throws pathIsTaken if the path already holds a file, keyInvalid if the workspace is gone
     */
    async issue(
      transaction: Transaction<PublicationsTables>,
      workspaceId: string,
      { type, path }: { type: SourceType; path: string | undefined },
    ): Promise<UploadTicket> {
      const ticket = newTicket(workspaceId, type, path, now())
      await uploads.create(transaction, ticket)
      const { storage_key, expires_at } = ticket
      const address = signer.sign({ method: 'PUT', path: `/uploads/${storage_key}`, expiresAtMs: expires_at })
      return ticketJson(ticket, addresses.base() + address)
    },

    /**
     * Returns the ticket that a signed address grants, judged at the time of the request: the duration of the upload
     * does not count.
     * @throws addressForged, addressExpired, uploadNotFound, ticketUsed, pathIsTaken
     */
    async open(url: string, storageKey: string): Promise<UploadRow> {
      const ticket = await find(url, storageKey, () => false)
      if (ticket.blob_key !== null) throw ticketUsed()
      await requirePath(ticket)
      return ticket
    },

    /**
     * Returns the ticket of an upload that may be resumed: one that has begun outlives its address. The file of a used
     * ticket is complete.
     * @throws addressForged, addressExpired, uploadNotFound, pathIsTaken
     */
    async openResumable(url: string, storageKey: string): Promise<UploadRow> {
      const ticket = await find(
        url,
        storageKey,
        ({ blob_key, resumable_until }) => blob_key !== null || (resumable_until ?? 0) > now(),
      )
      if (ticket.blob_key === null) await requirePath(ticket)
      return ticket
    },
  }
}

function newTicket(workspaceId: string, type: SourceType, path: string | undefined, nowMs: number): NewTicket {
  const storageKey = randomUUID()
  return {
    storage_key: storageKey,
    workspace_id: workspaceId,
    path: path ?? `${storageKey}${type === 'pdf' ? '.pdf' : '.zip'}`,
    created_at: nowMs,
    expires_at: nowMs + TICKET_LIFETIME_MS,
  }
}

function ticketJson({ storage_key, workspace_id, path }: NewTicket, uploadUrl: string): UploadTicket {
  return {
    uploadUrl,
    token: new URL(uploadUrl).searchParams.get('signature')!,
    storageKey: storage_key,
    pdfPath: `${workspace_id}/${path}`,
    workspaceId: workspace_id,
  }
}

const DAY_MS = 24 * 3_600_000
/** A program may upload files and publish them days later. */
const UNPUBLISHED_KEPT_MS = 7 * DAY_MS
/** Blobs that one query looks up. */
const BLOBS_PER_QUERY = 500

/**
 * Removes the remains of failed uploads: unused tickets, drafts of uploads that a crash interrupted, files that were
 * stored and never acknowledged, and files of which no publication was made within a week. Anything younger
 * than a day is left alone, so that uploads in progress are safe. The next sweep continues an interrupted
 * one; several instances may sweep at once.
 */
export async function sweepUploads({
  blobs,
  uploads,
  now,
}: DocumentsDeps): Promise<{ tickets: number; drafts: number; files: number }> {
  const limitMs = now() - DAY_MS
  const unpublishedBeforeMs = now() - UNPUBLISHED_KEPT_MS
  const tickets = await uploads.removeExpired({ unusedBeforeMs: limitMs, unpublishedBeforeMs })
  const drafts = await blobs.sweepDrafts(DAY_MS)
  let files = 0
  for await (const keys of oldDocuments(blobs, limitMs)) {
    const known = await uploads.knownBlobs(keys)
    for (const key of keys) {
      if (known.has(key)) continue
      await blobs.delete(key)
      files++
    }
  }
  return { tickets, drafts, files }
}

async function* oldDocuments(blobs: BlobStore, limitMs: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key, modifiedMs } of blobs.list(DOCUMENTS_FOLDER)) {
    if (modifiedMs >= limitMs) continue
    keys.push(key)
    if (keys.length < BLOBS_PER_QUERY) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}
