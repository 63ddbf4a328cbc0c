import { AppError, unavailable } from '#platform/errors.ts'
import { PdfError } from '../pdfium/pdf-error.ts'

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 15_000

/**
 * Returns true for a failure that has nothing to do with the document: disk or
 * database unavailable, or stopped on purpose.
 */
export function isExternal(error: unknown): boolean {
  if (error instanceof AppError) return error.code === unavailable.code
  return isStopped(error)
}

/** Returns true if the work was stopped on purpose. */
export function isStopped(error: unknown): boolean {
  return error instanceof PdfError && (error.code === 'cancelled' || error.code === 'closed')
}

/** Returns the pause after a number of consecutive failures, from 1 on: it doubles each time, up to 15 seconds. */
export function pauseAfterMs(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
}
