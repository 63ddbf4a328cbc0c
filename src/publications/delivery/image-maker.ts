import { availableParallelism } from 'node:os'
import { inTime } from '#platform/basics/timers.ts'
import { type WorkClient, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import { imageForm, PAGE_WIDTH } from '../model/image-forms.ts'
import { renderOne } from '../rendering/render-version.ts'
import type { RenderWorkDeps } from '../rendering/render-work-deps.ts'

/** Time for writes in progress when closing. */
const CLOSE_WITHIN_MS = 3_000

/** An ordinary image takes about 0.1 s, so that waiting readers get theirs within half a minute. */
const ORDINARY: WorkQueueLimits = { running: availableParallelism(), waiting: 256, waitingPerCaller: 128 }

/**
 * A large image takes about half a second, and up to 120 MB while it is encoded. Half of the cores at most, and never
 * more than two, draw them: anyone may request them for every page of every document.
 */
const LARGE: WorkQueueLimits = {
  running: Math.min(2, Math.max(1, availableParallelism() >> 1)),
  waiting: 64,
  waitingPerCaller: 32,
}

/** An image of a finished page. */
type WantedImage = { versionId: string; blobKey: string; page: number; name: string }

/** Makes requested images of finished pages that do not exist yet: each once for any number of requests. */
export class ImageMaker {
  readonly #deps: RenderWorkDeps
  readonly #ordinary = new WorkQueue<void>(ORDINARY)
  readonly #large = new WorkQueue<void>(LARGE)

  constructor(deps: RenderWorkDeps) {
    this.#deps = deps
  }

  /**
   * Makes an image of a page that has a row, whichever instance has the version's lease; resolves when it is stored.
   * @throws PdfError if the page cannot be rendered in this form; VersionGoneError; QueueFullError; UNAVAILABLE
   */
  async make(image: WantedImage, client: WorkClient): Promise<void> {
    const queue = imageForm(image.name)!.width > PAGE_WIDTH ? this.#large : this.#ordinary
    const key = `${image.versionId}/${image.page}/${image.name}`
    await queue.do(key, client, (signal) => this.#make(image, signal))
  }

  /** Stops the work in progress within seconds. */
  async close(): Promise<void> {
    await inTime(CLOSE_WITHIN_MS, Promise.allSettled([this.#ordinary.close(), this.#large.close()]))
  }

  async #make({ versionId, blobKey, page, name }: WantedImage, signal: AbortSignal): Promise<void> {
    await using document = await this.#deps.localDocuments.localDocument(blobKey)
    await renderOne(this.#deps, { versionId, path: document.path, signal }, page, name)
  }
}
