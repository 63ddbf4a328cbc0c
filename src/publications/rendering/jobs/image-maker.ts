import { unavailable } from '#platform/errors.ts'
import { allSettledOrTimeout } from './all-settled-or-timeout.ts'
import { renderOne } from './page-work.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

/** Time for writes in progress when closing. */
const CLOSE_WITHIN_MS = 3_000

/** Makes requested images of finished pages that do not exist yet: each once for any number of requests. */
export class ImageMaker {
  readonly #deps: RenderWorkDeps
  readonly #making = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(deps: RenderWorkDeps) {
    this.#deps = deps
  }

  /**
   * Makes an image of a page that has a row, whichever instance has the version's lease; resolves when it is stored.
   * @throws PdfError if the page cannot be rendered in this form; VersionGoneError; UNAVAILABLE
   */
  async make(versionId: string, blobKey: string, page: number, name: string): Promise<void> {
    const key = `${versionId}/${page}/${name}`
    let making = this.#making.get(key)
    if (making === undefined) {
      making = this.#make(versionId, blobKey, page, name).finally(() => this.#making.delete(key))
      this.#making.set(key, making)
    }
    await making
  }

  /** Stops the work in progress within seconds. */
  async close(): Promise<void> {
    this.#closing.abort()
    await allSettledOrTimeout(CLOSE_WITHIN_MS, this.#making.values())
  }

  async #make(versionId: string, blobKey: string, page: number, name: string): Promise<void> {
    const { signal } = this.#closing
    if (signal.aborted) throw unavailable()
    await using document = await this.#deps.localDocuments.localDocument(blobKey)
    await renderOne(this.#deps, { versionId, path: document.path, signal }, page, name)
  }
}
