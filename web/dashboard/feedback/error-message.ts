import { ApiError } from '../api/api-error.ts'
import type { Key } from '../i18n/en.ts'

/** What to say of a failure: a text by its key, and what stands in it. */
export type ErrorMessage = { key: Key; values?: Record<string, string | number> }

const BY_STATUS: Record<number, Key> = {
  0: 'error.unreachable',
  400: 'error.invalid',
  401: 'error.signedOut',
  403: 'error.forbidden',
  404: 'error.notFound',
  409: 'error.conflict',
  410: 'error.gone',
  413: 'error.tooLarge',
  422: 'error.refused',
  502: 'error.unreachable',
  503: 'error.unavailable',
  504: 'error.unreachable',
}

/** Puts any failure into words for the person in front of the screen; never shows what a server says to developers. */
export function errorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof ApiError)) return { key: 'error.unexpected' }
  if (error.status === 429) return waitWords(error.retryAfterSec)
  const key = BY_STATUS[error.status]
  if (key !== undefined) return { key }
  const requestId = error.problem?.request_id
  return requestId === undefined ? { key: 'error.server' } : { key: 'error.serverWithId', values: { requestId } }
}

function waitWords(retryAfterSec: number | undefined): ErrorMessage {
  if (retryAfterSec === undefined) return { key: 'error.tooMany' }
  return { key: 'error.tooManyWait', values: { count: Math.max(1, Math.ceil(retryAfterSec)) } }
}

/** Which of a form's fields the server found wrong, each with the server's rule. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.status !== 400) return {}
  return Object.fromEntries((error.problem?.errors ?? []).map(({ path, message }) => [path, message]))
}
