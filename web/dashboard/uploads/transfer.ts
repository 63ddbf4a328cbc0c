import { ApiError, hasStatus } from '../api/api-error.ts'
import { apiPaths } from '../api/api-paths.ts'
import {
  createPublication,
  createTicket,
  findBySlug,
  type LibraryEntry,
  replaceFile,
  type UploadReference,
} from '../api/publications.ts'
import { putFile } from './put-file.ts'

/** What is to become of a file: a publication of this title, or the new file of one that there is. */
export type Purpose = { title: string } | { replacedId: string }

export type Transfer = {
  workspaceId: string
  file: File
  purpose: Purpose
  /** What an earlier try has uploaded already; that part is not done again. */
  uploaded: UploadReference | undefined
}

type Progress = {
  signal: AbortSignal
  onSent(sentBytes: number): void
  onUploaded(reference: UploadReference): void
}

/** Uploads a file and makes of it what it is for; gives the publication. Throws as {@link putFile} does. */
export async function transfer(
  { workspaceId, file, purpose, uploaded }: Transfer,
  { signal, onSent, onUploaded }: Progress,
): Promise<LibraryEntry> {
  const reference = uploaded ?? (await upload(workspaceId, file, { signal, onSent }))
  onUploaded(reference)
  try {
    return 'title' in purpose
      ? await createPublication(workspaceId, purpose.title, reference, signal)
      : await replaceFile(purpose.replacedId, reference, signal)
  } catch (error) {
    // A try before has come through, and only its answer was lost.
    const slug = hasStatus(error, 409) && error instanceof ApiError ? error.problem?.slug : undefined
    const made = slug === undefined ? undefined : await findBySlug(workspaceId, slug)
    if (made === undefined) throw error
    return made
  }
}

async function upload(workspaceId: string, file: File, options: Pick<Progress, 'signal' | 'onSent'>) {
  const { uploadUrl, storageKey, pdfPath } = await createTicket(workspaceId, options.signal)
  await putFile(addressHere(uploadUrl, storageKey), file, options)
  return { storageKey, pdfPath }
}

/** The same address at the server of this page, which is the only one that the page may speak to. */
export function addressHere(uploadUrl: string, storageKey: string): string {
  return apiPaths.upload(storageKey) + new URL(uploadUrl).search
}
