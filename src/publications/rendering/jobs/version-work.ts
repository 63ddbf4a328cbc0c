import { inSpan, rootContext } from '#platform/tracing/spans.ts'
import { giveUp } from '../../storage/record-pages.ts'
import type { VersionRow } from '../../storage/tables.ts'
import type { WorkKind } from '../../storage/versions-store.ts'
import type { RenderRun } from '../threads/renderer.ts'
import { NO_CONTENT, type PageWork, renderFirst, renderFurther, storeFirstPage } from './page-work.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

/** A document that was claimed this often without finishing a page crashes its renderer. */
const MAX_ATTEMPTS = 5
const GIVEN_UP = { code: 'crashed', reason: `Rendering failed after ${MAX_ATTEMPTS} attempts.` }

/** The rendering of a version that this instance has leased. */
export class VersionWork {
  readonly version: VersionRow
  readonly kind: WorkKind
  readonly #deps: RenderWorkDeps
  readonly #stop = new AbortController()
  /** Requested pages. */
  readonly #wanted = new Set<number>()
  #run: RenderRun | undefined

  constructor(deps: RenderWorkDeps, version: VersionRow, kind: WorkKind) {
    this.#deps = deps
    this.version = version
    this.kind = kind
  }

  /** Stops the work early: `render` rejects. */
  stop(): void {
    this.#stop.abort()
  }

  /** Has a page rendered before the others. */
  prioritize(page: number): void {
    this.#wanted.add(page)
    this.#run?.prioritize(page)
  }

  /** Renders the missing pages or images. Rejects like `renderFirst`, and if the document cannot be opened. */
  async render(): Promise<void> {
    const attributes = { 'trackpress.work': this.kind, 'trackpress.pages': this.version.page_count }
    await inSpan('render document', { attributes, within: rootContext() }, () => this.#render())
  }

  async #render(): Promise<void> {
    const { db, changes, localDocuments, now } = this.#deps
    const { id, attempts, blob_key } = this.version
    if (attempts > MAX_ATTEMPTS) {
      changes.announce(id, await giveUp(db, id, GIVEN_UP, NO_CONTENT, now()))
      return
    }
    await using document = await localDocuments.localDocument(blob_key)
    const work = { versionId: id, path: document.path, signal: this.#stop.signal }
    await (this.kind === 'pages' ? this.#renderPages(work) : this.#renderFurther(work))
  }

  async #renderPages(work: PageWork): Promise<void> {
    const startMs = performance.now()
    const { id, page_count, blob_key } = this.version
    const finished = new Set((await this.#deps.pages.list(id)).map(({ page }) => page))
    const missing = Array.from({ length: page_count }, (_, at) => at + 1).filter((page) => !finished.has(page))
    const prepared = missing[0] === 1 ? await this.#deps.preparedDocuments.takePage(blob_key) : undefined
    if (prepared !== undefined) {
      await storeFirstPage(this.#deps, work, prepared)
      missing.shift()
    }
    this.#run = renderFirst(this.#deps, work, missing)
    for (const page of this.#wanted) this.#run.prioritize(page)
    await this.#run.finished
    this.#deps.metrics.versionRendered(performance.now() - startMs)
  }

  async #renderFurther(work: PageWork): Promise<void> {
    const pages = await this.#deps.pages.list(this.version.id)
    const incomplete = pages.filter(({ isComplete }) => !isComplete)
    this.#run = renderFurther(this.#deps, work, new Map(incomplete.map(({ page, images }) => [page, images])))
    await this.#run.finished
  }
}
