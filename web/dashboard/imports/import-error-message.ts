import type { RefusalReason } from '../../../src/tracks/imports/recordings/recorded-track.ts'
import { ApiError } from '../api/api-error.ts'
import { type ErrorMessage, errorMessage } from '../feedback/error-message.ts'
import type { Key } from '../i18n/en.ts'

/** The texts for the server's reasons to refuse a file. */
const REASONS: Record<RefusalReason, Key> = {
  archive: 'import.refused.archive',
  cut_short: 'import.refused.cut_short',
  damaged: 'import.refused.damaged',
  document_type: 'import.refused.malformed',
  empty: 'import.refused.empty',
  malformed: 'import.refused.malformed',
  no_points: 'import.refused.no_points',
  no_recording: 'import.refused.no_recording',
  too_costly: 'import.refused.too_much',
  too_much: 'import.refused.too_much',
  unknown_format: 'import.refused.unknown_format',
}

/** Returns the message for a file that was not imported. */
export function importErrorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof ApiError)) return errorMessage(error)
  const { status, problem } = error
  if (status === 422) return { key: REASONS[problem?.reason as RefusalReason] ?? 'import.refused.malformed' }
  if (status === 413) return { key: 'import.refused.too_much' }
  if (status === 403) return { key: 'import.eventFull' }
  if (status === 404) return { key: 'import.eventGone' }
  return errorMessage(error)
}

/** Checks whether a retry may help, which it cannot for a file that is always refused. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof ApiError && [413, 422].includes(error.status))
}
