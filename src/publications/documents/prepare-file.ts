import { type AppError, unavailable } from '#platform/basics/errors.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { documentRefused, pathMismatch, sourceMismatch, uploadNotFound } from '../model/errors.ts'
import type { FileReplace } from '../model/publication-update-schemas.ts'
import { type NewFile, requireUnused } from '../model/publication-versions.ts'
import { isStop, PdfError } from '../rendering/pdfium/pdf-error.ts'
import { type SourceType, sourceTypeOf, spellsPath } from './schemas.ts'
import type { DocumentsDeps } from './store-upload.ts'

/**
 * Opens and inspects the uploaded file that a request refers to, before anything is changed: a concurrent request may
 * still claim the upload first.
 * @throws uploadNotFound, pathMismatch, sourceMismatch, nothingUploaded, uploadIsUsed, documentRefused, in this order
 */
export type PrepareFile = ReturnType<typeof createPrepareFile>

export function createPrepareFile(deps: DocumentsDeps) {
  return async (
    workspaceId: string,
    { storageKey, pdfPath }: FileReplace,
    sourceType?: SourceType,
  ): Promise<NewFile> => {
    const upload = await deps.uploads.find(workspaceId, storageKey)
    if (upload === undefined) throw uploadNotFound()
    if (!spellsPath(pdfPath, `${workspaceId}/${upload.path}`))
      throw pathMismatch({ errors: [{ path: 'pdfPath', message: 'must be the path that came with the storageKey' }] })
    const stored = sourceTypeOf(upload.path)
    if (sourceType !== undefined && stored !== sourceType)
      throw sourceMismatch({ errors: [{ path: 'sourceType', message: `must be ${stored}, as it was for the upload` }] })
    const { blob_key, size, sha256 } = await requireUnused(deps.db, upload)
    return { storageKey, size, sha256, facts: await inspectDocument(deps, blob_key) }
  }
}

/**
 * Returns the facts of the document under a blob key. Unless it was prepared after its upload, this opens it, which
 * takes from milliseconds to many seconds.
 * @throws documentRefused with the `reason` why it cannot be published
 */
async function inspectDocument(
  { localDocuments, renderer, preparedDocuments, maxPages }: DocumentsDeps,
  blobKey: string,
): Promise<DocumentFacts> {
  const known = await preparedDocuments.facts(blobKey)
  if (known !== undefined) return known
  await using document = await localDocuments.localDocument(blobKey)
  try {
    return await renderer.inspect(document.path)
  } catch (error) {
    throw error instanceof PdfError ? refusal(error, maxPages) : error
  }
}

/** Explains to the publisher of a document why it was refused. */
function refusal(cause: PdfError, maxPages: number): AppError {
  const { code } = cause
  if (isStop(code)) return unavailable({ cause })
  const details: Partial<Record<typeof code, string>> = {
    too_many_pages: `The file has more than ${maxPages} pages, the maximum for a publication on this server.`,
    timed_out: 'The file took too long to open.',
    out_of_memory: 'The file needs too much memory to open.',
    crashed: 'The PDF engine failed on the file.',
  }
  return documentRefused({ cause, detail: details[code] ?? cause.message, members: { reason: code } })
}
