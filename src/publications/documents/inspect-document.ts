import { type AppError, unavailable } from '#platform/errors.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { documentRefused } from '../errors.ts'
import { PdfError } from '../rendering/pdfium/pdf-error.ts'
import type { PreparedDocuments } from '../rendering/preparation/prepared-documents.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import type { LocalDocuments } from './local-documents.ts'

export type InspectDocumentDeps = {
  localDocuments: Pick<LocalDocuments, 'localDocument'>
  renderer: Pick<Renderer, 'inspect'>
  preparedDocuments: Pick<PreparedDocuments, 'facts'>
  maxPages: number
}

/**
 * Returns the facts of the document under a blob key. Unless it was prepared after its upload, this opens it, which
 * takes from milliseconds to many seconds.
 * @throws documentRefused with the `reason` why it cannot be published
 */
export async function inspectDocument(
  { localDocuments, renderer, preparedDocuments, maxPages }: InspectDocumentDeps,
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
  if (code === 'closed' || code === 'cancelled') return unavailable({ cause })
  const details: Partial<Record<typeof code, string>> = {
    too_many_pages: `The file has more than ${maxPages} pages, the maximum for a publication on this server.`,
    timed_out: 'The file took too long to open.',
    out_of_memory: 'The file needs too much memory to open.',
    crashed: 'The PDF engine failed on the file.',
  }
  return documentRefused({ cause, detail: details[code] ?? cause.message, members: { reason: code } })
}
