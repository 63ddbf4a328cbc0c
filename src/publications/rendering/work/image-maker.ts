import { unavailable } from '#platform/errors.ts'
import { settledWithin } from './all-settled-or-timeout.ts'
import { renderOne } from './page-work.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

/** When closing, what is just being written gets so long. */
const CLOSE_WITHIN_MS = 3_000

/** Makes images of finished pages that somebody asks for and that are not there yet: each once, however many ask. */
export class ImageMaker {
  readonly #deps: RenderWorkDeps
  readonly #making = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(deps: RenderWorkDeps) {
    this.#deps = deps
  }

  /**
   * Makes an image of a page that has a row, whoever has the version's lease; it is stored when this resolves.
   * @throws PdfError where the page cannot be rendered so; VersionGoneError; UNAVAILABLE
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

  /** Ends what is being made, within seconds. */
  async close(): Promise<void> {
    this.#closing.abort()
    await settledWithin(CLOSE_WITHIN_MS, this.#making.values())
  }

  async #make(versionId: string, blobKey: string, page: number, name: string): Promise<void> {
    const { signal } = this.#closing
    if (signal.aborted) throw unavailable()
    await using document = await this.#deps.localDocuments.localDocument(blobKey)
    await renderOne(this.#deps, { versionId, path: document.path, signal }, page, name)
  }
}
