import { LRUCache } from 'lru-cache'
import type { PdfErrorCode } from '../pdfium/pdf-error.ts'

/** Enough for the worst day; each entry is a path and a code. */
const MAX_ENTRIES = 10_000

/** Pages that have ended a worker, with the failure: they are not rendered again while they are remembered. */
export class PoisonPages {
  readonly #failures = new LRUCache<string, PdfErrorCode>({ max: MAX_ENTRIES })

  find(path: string, page: number): PdfErrorCode | undefined {
    return this.#failures.get(`${page} ${path}`)
  }

  add(path: string, page: number, failure: PdfErrorCode) {
    this.#failures.set(`${page} ${path}`, failure)
  }
}
