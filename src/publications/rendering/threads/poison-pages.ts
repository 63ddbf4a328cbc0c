import type { PdfErrorCode } from '../pdfium/pdf-error.ts'

/** Enough for the worst day; each entry is a path and a word. */
const MAX_ENTRIES = 10_000

/** Pages that have ended a worker, and how: they are not tried again as long as this is remembered. */
export class PoisonPages {
  readonly #failures = new Map<string, PdfErrorCode>()

  find(path: string, page: number): PdfErrorCode | undefined {
    return this.#failures.get(`${page} ${path}`)
  }

  add(path: string, page: number, failure: PdfErrorCode) {
    const [oldest] = this.#failures.keys()
    if (this.#failures.size >= MAX_ENTRIES) this.#failures.delete(oldest)
    this.#failures.set(`${page} ${path}`, failure)
  }
}
