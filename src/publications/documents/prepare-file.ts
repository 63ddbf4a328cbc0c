import type { Kysely } from 'kysely'
import { spellsPath } from '../domain/storage-path.ts'
import { pathMismatch, uploadNotFound } from '../errors.ts'
import type { FileReplace } from '../schemas/publication.ts'
import { requireUnused } from '../storage/claim-upload.ts'
import type { NewFile } from '../storage/replace-file.ts'
import type { PublicationsTables } from '../storage/tables.ts'
import type { UploadsStore } from '../storage/uploads-store.ts'
import { type InspectDocumentDeps, inspectDocument } from './inspect-document.ts'

/**
 * Opens and inspects the uploaded file that a request refers to, before anything is changed: a concurrent request may
 * still claim the upload first.
 * @throws uploadNotFound, pathMismatch, nothingUploaded, uploadIsUsed, documentRefused, in this order
 */
export type PrepareFile = (workspaceId: string, reference: FileReplace) => Promise<NewFile>

type Deps = InspectDocumentDeps & { db: Kysely<PublicationsTables>; uploads: Pick<UploadsStore, 'find'> }

export function createPrepareFile(deps: Deps): PrepareFile {
  return async (workspaceId, { storageKey, pdfPath }) => {
    const upload = await deps.uploads.find(workspaceId, storageKey)
    if (upload === undefined) throw uploadNotFound()
    if (!spellsPath(pdfPath, `${workspaceId}/${upload.path}`))
      throw pathMismatch({ errors: [{ path: 'pdfPath', message: 'must be the path that came with the storageKey' }] })
    const { blob_key } = await requireUnused(deps.db, upload)
    return { storageKey, facts: await inspectDocument(deps, blob_key) }
  }
}
