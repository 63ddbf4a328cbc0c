import { ApiError, hasStatus } from '../api/api-error.ts'
import { apiPaths } from '../api/api-paths.ts'
import {
  createPublication,
  createTicket,
  type FileReplace,
  findBySlug,
  type LibraryEntry,
  type NewPublication,
  replaceFile,
} from '../api/publications.ts'
import { sendFile } from '../api/send-file.ts'

/**
 * The purpose of a file: a publication, titled after the file if it states no title, or the new file of an existing
 * one.
 */
export type Purpose = NewPublication | { replacedId: string }

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

/** Uploads a file and creates or updates its publication. Throws like {@link sendFile}. */
export async function transfer(
  { workspaceId, file, purpose, uploaded }: Transfer,
  { signal, onSent, onUploaded }: Progress,
): Promise<LibraryEntry> {
  const reference = uploaded ?? (await upload(workspaceId, file, { signal, onSent }))
  onUploaded(reference)
  try {
    return 'replacedId' in purpose
      ? await replaceFile(purpose.replacedId, reference, signal)
      : await createPublication(workspaceId, purpose, reference, signal)
  } catch (error) {
    // An earlier attempt succeeded, and only its response was lost.
    const slug = hasStatus(error, 409) && error instanceof ApiError ? error.problem?.slug : undefined
    const made = slug === undefined ? undefined : await findBySlug(workspaceId, slug)
    if (made === undefined) throw error
    return made
  }
}

async function upload(workspaceId: string, file: File, options: Pick<Progress, 'signal' | 'onSent'>) {
  const { uploadUrl, storageKey, pdfPath } = await createTicket(workspaceId, options.signal)
  await sendFile('PUT', addressHere(uploadUrl, storageKey), file, { ...options, type: 'application/pdf' })
  return { storageKey, pdfPath }
}

/** Returns the same address on the server of this page, the only one that the page may connect to. */
export function addressHere(uploadUrl: string, storageKey: string): string {
  return apiPaths.upload(storageKey) + new URL(uploadUrl).search
}
