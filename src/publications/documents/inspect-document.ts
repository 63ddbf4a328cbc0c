import { type AppError, unavailable } from '#platform/errors.ts'
import type { PublicationsDeps } from '../deps.ts'
import type { DocumentFacts } from '../domain/document-facts.ts'
import { documentRefused } from '../errors.ts'
import { PdfError } from '../rendering/pdfium/pdf-error.ts'

/**
 * Opens the document under a blob key, which takes from milliseconds to many seconds, and tells what is known of it.
 * @throws documentRefused with the `reason` why it cannot be published
 */
export async function inspectDocument(
  { localDocuments, renderer, maxPages }: Pick<PublicationsDeps, 'localDocuments' | 'renderer' | 'maxPages'>,
  blobKey: string,
): Promise<DocumentFacts> {
  await using document = await localDocuments.localDocument(blobKey)
  try {
    return await renderer.inspect(document.path)
  } catch (error) {
    throw error instanceof PdfError ? refusal(error, maxPages) : error
  }
}

/** What the publisher of a document is told of why it was not taken. */
function refusal(cause: PdfError, maxPages: number): AppError {
  const { code } = cause
  if (code === 'closed' || code === 'cancelled') return unavailable({ cause })
  const details: Partial<Record<typeof code, string>> = {
    too_many_pages: `The file has more than ${maxPages} pages, the most that a publication may have here.`,
    timed_out: 'The file took too long to open.',
    out_of_memory: 'The file needs too much memory to open.',
    crashed: 'The PDF engine failed on the file.',
  }
  return documentRefused({ cause, detail: details[code] ?? cause.message, members: { reason: code } })
}
