import { ApiError } from '../api/api-error.ts'
import { type ErrorMessage, errorMessage } from '../components/error-message.ts'
import type { Key } from '../i18n/en.ts'

/** The texts for the server's codes: why a document cannot be opened or a page cannot be rendered. */
const REASONS: Record<string, Key> = {
  not_a_pdf: 'refused.not_a_pdf',
  password_required: 'refused.password_required',
  encryption_unsupported: 'refused.encryption_unsupported',
  no_pages: 'refused.no_pages',
  too_many_pages: 'refused.too_many_pages',
  page_damaged: 'refused.page_damaged',
  timed_out: 'refused.timed_out',
  out_of_memory: 'refused.out_of_memory',
  crashed: 'refused.crashed',
}

/** Returns the text for a code. */
export function reasonKey(code: string): Key {
  return REASONS[code] ?? 'refused.crashed'
}

/** Returns the message for a failed upload. `limit` is the formatted size limit. */
export function uploadErrorMessage(error: unknown, limit: string): ErrorMessage {
  if (error instanceof RejectedFile) return ownWords(error, limit)
  if (!(error instanceof ApiError)) return errorMessage(error)
  const { status, problem } = error
  if (status === 422) return { key: reasonKey(problem?.reason ?? 'not_a_pdf') }
  if (status === 413) return { key: 'upload.tooLarge', values: { limit } }
  if (status === 404) return { key: 'upload.workspaceGone' }
  if (status === 409) return { key: 'upload.taken' }
  return errorMessage(error)
}

function ownWords({ why }: RejectedFile, limit: string): ErrorMessage {
  if (why === 'tooLarge') return { key: 'upload.tooLarge', values: { limit } }
  return { key: why === 'empty' ? 'upload.empty' : 'refused.not_a_pdf' }
}

/** Checks whether a retry may help, which it cannot for a file that is always refused. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof RejectedFile) && !(error instanceof ApiError && [413, 422].includes(error.status))
}

/** The reason why a file is not sent. */
type RejectionReason = 'notPdf' | 'empty' | 'tooLarge'

/** A file that the server would refuse. */
export class RejectedFile extends Error {
  readonly why: RejectionReason
  readonly limitBytes: number

  constructor(why: RejectionReason, limitBytes: number) {
    super(why)
    this.name = 'RejectedFile'
    this.why = why
    this.limitBytes = limitBytes
  }
}

/** Returns the reason to refuse a file, as far as its name and size tell; undefined if they tell none. */
export function rejectionReason(file: File, limitBytes: number): RejectionReason | undefined {
  if (file.type !== 'application/pdf' && !/\.pdf$/i.test(file.name)) return 'notPdf'
  if (file.size === 0) return 'empty'
  return file.size > limitBytes ? 'tooLarge' : undefined
}

/** Returns the title of a publication whose file states none: the file's name in readable form. */
export function titleOfFile(name: string): string {
  const title = name
    .replace(/\.pdf$/i, '')
    .replaceAll('_', ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return (title || name).slice(0, 200)
}
