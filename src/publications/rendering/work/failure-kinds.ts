import { AppError, unavailable } from '#platform/errors.ts'
import { PdfError } from '../pdfium/pdf-error.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

/** Whether something failed for a reason that has nothing to do with the document: no disk, no database, an end in between. */
export function isOutside(error: unknown): boolean {
  if (error instanceof AppError) return error.code === unavailable.code
  return isEnded(error)
}

/** Whether work was ended on purpose. */
export function isEnded(error: unknown): boolean {
  return error instanceof PdfError && (error.code === 'cancelled' || error.code === 'closed')
}

/** How long to wait after a number of failures in a row, from 1 on: twice as long each time, up to a quarter of a minute. */
export function pauseAfterMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
}
