import { ApiError } from '../api/api-error.ts'
import { type ErrorWords, errorWords } from '../feedback/error-message.ts'
import type { Key } from '../i18n/en.ts'
import { FileUnfit } from './rejected-file.ts'

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
export function uploadErrorWords(error: unknown, limit: string): ErrorWords {
  if (error instanceof FileUnfit) return ownWords(error, limit)
  if (!(error instanceof ApiError)) return errorWords(error)
  const { status, problem } = error
  if (status === 422) return { key: reasonKey(problem?.reason ?? 'not_a_pdf') }
  if (status === 413) return { key: 'upload.tooLarge', values: { limit } }
  if (status === 404) return { key: 'upload.workspaceGone' }
  if (status === 409) return { key: 'upload.taken' }
  return errorWords(error)
}

function ownWords({ why }: FileUnfit, limit: string): ErrorWords {
  if (why === 'tooLarge') return { key: 'upload.tooLarge', values: { limit } }
  return { key: why === 'empty' ? 'upload.empty' : 'refused.not_a_pdf' }
}

/** Whether trying again may help: not with a file that will never be taken. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof FileUnfit) && !(error instanceof ApiError && [413, 422].includes(error.status))
}
