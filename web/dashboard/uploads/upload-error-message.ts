import { ApiError } from '../api/api-error.ts'
import { type ErrorMessage, errorMessage } from '../feedback/error-message.ts'
import type { Key } from '../i18n/en.ts'
import { RejectedFile } from './rejected-file.ts'

/** Why a document cannot be opened or a page not be drawn, by the server's code. */
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

/** The words for the reason of which this is the code. */
export function reasonKey(code: string): Key {
  return REASONS[code] ?? 'refused.crashed'
}

/** What to say of an upload that failed; `limit` is the largest file, as it is written. */
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

/** Whether trying again may help: not with a file that will never be taken. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof RejectedFile) && !(error instanceof ApiError && [413, 422].includes(error.status))
}
