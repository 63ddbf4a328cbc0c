import type { PublicationsDeps } from '../deps.ts'
import { pathMismatch, uploadNotFound } from '../errors.ts'
import type { UploadReference } from '../schemas/publication.ts'
import { requireUnused } from '../storage/claim-upload.ts'
import type { NewFile } from '../storage/replace-file.ts'
import { inspectDocument } from './inspect-document.ts'

/**
 * The uploaded file that a request is about, opened and found good, before anything is changed: another request may be
 * faster to take the upload.
 * @throws uploadNotFound, pathMismatch, nothingUploaded, uploadIsUsed, documentRefused, in this order
 */
export async function prepareFile(
  deps: Pick<PublicationsDeps, 'db' | 'uploads' | 'localDocuments' | 'renderer' | 'maxPages'>,
  workspaceId: string,
  { storageKey, pdfPath }: UploadReference,
): Promise<NewFile> {
  const upload = await deps.uploads.find(workspaceId, storageKey)
  if (upload === undefined) throw uploadNotFound()
  if (pdfPath.normalize('NFC') !== `${workspaceId}/${upload.path}`)
    throw pathMismatch({ errors: [{ path: 'pdfPath', message: 'must be the path that came with the storageKey' }] })
  const { blob_key } = await requireUnused(deps.db, upload)
  return { storageKey, facts: await inspectDocument(deps, blob_key) }
}
