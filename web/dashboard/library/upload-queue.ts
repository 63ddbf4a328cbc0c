import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, hasStatus } from '../api/api-error.ts'
import { ENTRIES_PER_PAGE, settingsQuery } from '../api/queries.ts'
import { aboutKey } from '../api/query-client.ts'
import { sendFile } from '../api/request.ts'
import { isUnderWay, percentOf, TransferQueue, useTransferEffects } from '../components/transfer-queue.ts'
import {
  operatorGetWorkspaceQueryKey,
  operatorListPublicationsQueryKey,
  operatorListWorkspacesQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import {
  operatorCheckPublicationFile,
  operatorCreatePublication,
  operatorCreateUploadUrl,
  operatorListPublications,
  operatorReplacePublicationFile,
} from '../generated/sdk.gen.ts'
import type { FileComparison, FileReplace, LibraryEntry } from '../generated/types.gen.ts'
import { RESUMABLE_ABOVE_BYTES, sendResumable, type UploadTicket } from './resumable-upload.ts'
import { RejectedFile, rejectionReason, sourceOf, titleOfFile } from './upload-errors.ts'

/**
 * The state of an upload: `opening` while the server processes the complete file, and `asking` until somebody confirms
 * that it replaces another.
 */
export type UploadPhase = 'waiting' | 'sending' | 'opening' | 'asking' | 'done' | 'failed'

/** A file that is uploaded to a workspace. */
export type Upload = {
  id: number
  workspaceId: string
  file: File
  purpose: Purpose
  phase: UploadPhase
  sentBytes: number
  error: unknown
  /** The file as an earlier attempt uploaded it. */
  uploaded: FileReplace | undefined
  /** The file beside the file to be replaced. */
  comparison: FileComparison | undefined
  /** The resulting publication. */
  publication: LibraryEntry | undefined
}

/** Uploads files to workspaces. */
export class UploadQueue extends TransferQueue<Upload> {
  readonly #transfer: typeof transfer

  constructor(send: typeof transfer = transfer) {
    super()
    this.#transfer = send
  }

  /** Adds a file. A file that would be refused is not sent at all. */
  add(workspaceId: string, file: File, purpose: Purpose, limitBytes: number): void {
    const unfit = rejectionReason(file, limitBytes)
    const refused = unfit !== undefined && { phase: 'failed', error: new RejectedFile(unfit) }
    this.append([
      { workspaceId, file, purpose, uploaded: undefined, comparison: undefined, publication: undefined, ...refused },
    ])
  }

  /** Lets a file replace another, once somebody has seen how they differ. */
  confirm(id: number): void {
    const upload = this.list().find((one) => one.id === id)
    if (upload === undefined) return
    this.change(id, { purpose: { ...upload.purpose, isConfirmed: true } })
    this.retry(id)
  }

  protected async send(upload: Upload, signal: AbortSignal): Promise<Partial<Upload>> {
    const { id } = upload
    if (upload.uploaded !== undefined) this.change(id, { phase: 'opening' })
    try {
      const outcome = await this.#transfer(upload, {
        signal,
        onSent: (sentBytes) => this.change(id, { sentBytes }),
        onUploaded: (uploaded) => this.change(id, { uploaded, phase: 'opening', sentBytes: upload.file.size }),
      })
      if ('latest' in outcome) return { phase: 'asking', comparison: outcome, sentBytes: upload.file.size }
      return { phase: 'done', publication: outcome }
    } catch (error) {
      // The uploaded file may have been cleaned up in the meantime. The next attempt then starts over.
      return { phase: 'failed', error, sentBytes: 0, ...(hasStatus(error, 404) && { uploaded: undefined }) }
    }
  }
}

/** The uploads of this window, from all of its pages. */
export const uploadQueue = new UploadQueue()

/** A publication to create: the title that it gets if its file states none, and whether it is a draft. */
type NewPublication = { fileName: string; isDraft: boolean }
/** The purpose of a file: a publication, or the new file of an existing one. */
type Purpose = NewPublication | { replacedId: string; isConfirmed?: boolean }

export type Transfer = {
  workspaceId: string
  file: File
  purpose: Purpose
  /** The file as an earlier attempt uploaded it; it is not uploaded again. */
  uploaded: FileReplace | undefined
}

type Progress = {
  signal: AbortSignal
  onSent(sentBytes: number): void
  onUploaded(reference: FileReplace): void
}

/**
 * Uploads a file and creates or updates its publication. One that is to replace another is only compared with it until
 * that is confirmed. Throws like {@link sendFile}.
 */
async function transfer(
  { workspaceId, file, purpose, uploaded }: Transfer,
  { signal, onSent, onUploaded }: Progress,
): Promise<LibraryEntry | FileComparison> {
  const reference = uploaded ?? (await upload(workspaceId, file, { signal, onSent }))
  onUploaded(reference)
  if ('replacedId' in purpose && !purpose.isConfirmed)
    return await operatorCheckPublicationFile({ path: { id: purpose.replacedId }, body: reference, signal })
  try {
    return 'replacedId' in purpose
      ? await operatorReplacePublicationFile({ path: { id: purpose.replacedId }, body: reference, signal })
      : await operatorCreatePublication({
          path: { id: workspaceId },
          body: { file_name: purpose.fileName, draft: purpose.isDraft, ...reference },
          signal,
        })
  } catch (error) {
    // An earlier attempt succeeded, and only its response was lost.
    const slug = hasStatus(error, 409) && error instanceof ApiError ? error.problem?.slug : undefined
    const made = slug === undefined ? undefined : await findBySlug(workspaceId, slug)
    if (made === undefined) throw error
    return made
  }
}

async function upload(workspaceId: string, file: File, options: Omit<Progress, 'onUploaded'>): Promise<FileReplace> {
  const { source, type } = sourceOf(file)!
  async function ask(): Promise<UploadTicket> {
    const { uploadUrl, storageKey, pdfPath } = await operatorCreateUploadUrl({
      path: { id: workspaceId },
      body: { type: source },
      signal: options.signal,
    })
    return { address: addressHere(uploadUrl, storageKey), reference: { storageKey, pdfPath } }
  }
  if (file.size > RESUMABLE_ABOVE_BYTES) return await sendResumable(workspaceId, file, ask, options)
  const { address, reference } = await ask()
  await sendFile('PUT', address, file, { ...options, type })
  return reference
}

/** Finds the publication of a workspace that has a slug. */
async function findBySlug(id: string, slug: string): Promise<LibraryEntry | undefined> {
  const { publications } = await operatorListPublications({ path: { id }, query: { q: slug, limit: ENTRIES_PER_PAGE } })
  return publications.find((publication) => publication.slug === slug)
}

/** Returns the same address on the server of this page, the only one that the page may connect to. */
export function addressHere(uploadUrl: string, storageKey: string): string {
  return `/uploads/${storageKey}${new URL(uploadUrl).search}`
}

/** Ranks of phases; running uploads come first. */
const RANKS: Partial<Record<UploadPhase, number>> = { failed: 1, waiting: 2, done: 3 }

/** Returns uploads with those first that somebody may have to look at: running, refused, waiting, then finished. */
export function inOrderOfConcern(uploads: readonly Upload[]): Upload[] {
  const rank = ({ phase }: Upload) => RANKS[phase] ?? 0
  return uploads.toSorted((a, b) => rank(a) - rank(b))
}

/** The totals of several uploads. */
export type UploadTotals = {
  all: number
  underWay: number
  done: number
  /** Those that are done and became drafts. */
  drafts: number
  failed: number
  percent: number
}

/** Returns the totals of several uploads. */
export function uploadTotals(uploads: readonly Upload[]): UploadTotals {
  return {
    all: uploads.length,
    underWay: uploads.filter(isUnderWay).length,
    done: uploads.filter(({ phase }) => phase === 'done').length,
    drafts: uploads.filter(({ phase, publication }) => phase === 'done' && publication?.visibility === 'draft').length,
    failed: uploads.filter(({ phase }) => phase === 'failed').length,
    percent: percentOf(uploads),
  }
}

/** Refetches the answers that uploads change. */
export function useUploadEffects(): void {
  const client = useQueryClient()
  useTransferEffects(uploadQueue)
  useEffect(
    () =>
      uploadQueue.onDone(({ workspaceId, publication }) => {
        void client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }) })
        void client.invalidateQueries({
          queryKey: operatorGetWorkspaceQueryKey({ path: { id: workspaceId } }),
          exact: true,
        })
        void client.invalidateQueries({ queryKey: operatorListWorkspacesQueryKey() })
        if (publication !== undefined) void client.invalidateQueries({ queryKey: aboutKey(publication.id) })
      }),
    [client],
  )
}

/** Returns the server's size limit; infinity until it is known, which leaves the check to the server. */
export function useUploadLimitBytes(): number {
  return useQuery(settingsQuery).data?.max_upload_bytes ?? Number.POSITIVE_INFINITY
}

/** Returns a function that uploads files to a workspace. Each becomes a publication, or a draft. */
export function useAddFiles(workspaceId: string, isDraft: boolean): (files: File[]) => void {
  const limitBytes = useUploadLimitBytes()
  return (files) => {
    for (const file of files) {
      uploadQueue.add(workspaceId, file, { fileName: titleOfFile(file.name), isDraft }, limitBytes)
    }
  }
}

/**
 * Checks whether the page at an address shows an upload itself: the library shows new files, and a publication its
 * replacement.
 */
export function isShownInPlace({ workspaceId, purpose }: Upload, pathname: string) {
  const place = !('replacedId' in purpose) ? `/workspaces/${workspaceId}` : `/publications/${purpose.replacedId}`
  return pathname.replace(/\/$/, '') === place
}
