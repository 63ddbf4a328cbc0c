import { unavailable } from '#platform/basics/errors.ts'
/** The reason that a document cannot be opened, or one of its pages not rendered. */
export type PdfErrorCode =
  | 'not_a_pdf'
  | 'password_required'
  | 'encryption_unsupported'
  | 'no_pages'
  | 'too_many_pages'
  | 'page_damaged'
  | 'timed_out'
  | 'out_of_memory'
  | 'crashed'
  | 'cancelled'
  | 'closed'

const explanations: Record<PdfErrorCode, string> = {
  not_a_pdf: 'The file is not a PDF, or is damaged beyond repair.',
  password_required: 'The file opens only with a password.',
  encryption_unsupported: 'The file is encrypted in a way that is not supported.',
  no_pages: 'The file has no pages.',
  too_many_pages: 'The file has more pages than are allowed.',
  page_damaged: 'The page cannot be read.',
  timed_out: 'It took too long.',
  out_of_memory: 'It needed too much memory.',
  crashed: 'The PDF engine failed on it.',
  cancelled: 'It is no longer wanted.',
  closed: 'The renderer is closed.',
}

/** A failure that has to do with the document, with a code to act upon and words to show. */
export class PdfError extends Error {
  readonly code: PdfErrorCode

  constructor(code: PdfErrorCode, options?: ErrorOptions) {
    super(explanations[code], options)
    this.name = 'PdfError'
    this.code = code
  }
}

/** Tells whether work was stopped as a whole, which says nothing about the document or the page. */
export function isStop(code: PdfErrorCode): boolean {
  return code === 'cancelled' || code === 'closed'
}

/** Returns true for a failure that has nothing to do with the document: stopped, or disk or database away. */
export function isExternal(error: unknown): boolean {
  return error instanceof PdfError ? isStop(error.code) : unavailable.is(error)
}
