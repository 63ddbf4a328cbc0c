import type { RequestFailure } from '../requests/request-failure.ts'
import type { ReaderTexts } from './texts.ts'

/** Says in a sentence why a request failed. */
export function failureText({ reason, retryAfterSec }: RequestFailure, texts: ReaderTexts): string {
  const waits = reason === 'busy' || reason === 'limited' ? retryAfterSec : undefined
  const sentence = texts.failures[reason]
  return waits === undefined ? sentence : `${sentence} ${texts.tryAgainIn(waits)}`
}
