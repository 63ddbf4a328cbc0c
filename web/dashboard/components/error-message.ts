import { ApiError } from '../api/api-error.ts'
import type { Key } from '../i18n/en.ts'

/** The message for a failure: the key of a text, and the values for its placeholders. */
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

const BY_CODE: Record<string, Key> = {
  INSUFFICIENT_ROLE: 'error.role',
  CONFIRMATION_REQUIRED: 'error.unconfirmed',
  SECOND_FACTOR_REQUIRED: 'error.secondFactor',
  TRACK_DAMAGED: 'error.damaged',
}

/** Returns the message for a failure. The server's own detail, which is written for developers, is never shown. */
export function errorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof ApiError)) return { key: 'error.unexpected' }
  if (error.status === 429) return waitWords(error.retryAfterSec)
  const key = BY_CODE[error.problem?.code ?? ''] ?? BY_STATUS[error.status]
  if (key !== undefined) return { key }
  const requestId = error.problem?.request_id
  return requestId === undefined ? { key: 'error.server' } : { key: 'error.serverWithId', values: { requestId } }
}

function waitWords(retryAfterSec: number | undefined): ErrorMessage {
  if (retryAfterSec === undefined) return { key: 'error.tooMany' }
  return { key: 'error.tooManyWait', values: { count: Math.max(1, Math.ceil(retryAfterSec)) } }
}

/** Returns the fields of a form that the server rejected, each with the rule that it broke. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.status !== 400) return {}
  return Object.fromEntries((error.problem?.errors ?? []).map(({ path, message }) => [path, message]))
}
