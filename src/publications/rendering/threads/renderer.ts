import { availableParallelism } from 'node:os'
import { loadSharp } from '#platform/basics/load-sharp.ts'
import type { DocumentFacts } from '../../model/document-content.ts'
import { PAGE_WIDTH } from '../../model/image-forms.ts'
import type { PageImage } from '../pages/render-page.ts'
import { findFallbackFonts } from '../pdfium/fallback-fonts.ts'
import { PdfError, type PdfErrorCode } from '../pdfium/pdf-error.ts'
import { type JobKind, type Outcome, RenderJob } from './render-job.ts'
import type { DrawnPage } from './render-messages.ts'
import { type PoolOptions, RenderPool } from './render-pool.ts'

export type RendererOptions = PoolOptions & {
  pageDeadlineMs: number
  /** Deadline for opening a document and reading its facts. */
  inspectDeadlineMs: number
  /** Deadline of each step that is done ahead of a request. */
  aheadDeadlineMs: number
  /** Documents with more pages are refused. */
  maxPages: number
}

const MB = 1024 * 1024

/**
 * Pages of a job that are being rendered or handled, for each worker. Encoding, syncing and recording a page takes up
 * to three times as long as rendering it, but little processor time: with fewer, workers wait while a core is idle.
 */
const UNFINISHED_PER_WORKER = 4

/**
 * Measured: ordinary pages take 10 to 50 ms and documents 20 to 60 MB; the worst
 * legitimate ones some seconds and 200 MB.
 */
const defaults: RendererOptions = {
  workers: Math.max(1, availableParallelism()),
  maxMemoryBytes: 384 * MB,
  fonts: findFallbackFonts(import.meta.url),
  pageDeadlineMs: 20_000,
  inspectDeadlineMs: 20_000,
  aheadDeadlineMs: 2_000,
  documentDeadlineMs: 15 * 60_000,
  requestsPerWorker: 1_000,
  recycleAboveBytes: 192 * MB,
  idleMs: 60_000,
  maxPages: 5_000,
}

/**
 * The result of a page (the first is 1): its image, with its content if it is rendered for the
 * first time, or the reason why it failed.
 */
export type PageResult =
  | ({ page: number; failed?: never } & FreeablePage)
  | { page: number; failed: PdfErrorCode; reason: string }

/** A page whose image takes memory that is used again. */
export type FreeablePage = DrawnPage & {
  /** Gives the memory of the image back; the image must not be used any more. */
  free(): void
}

type RenderOptions = {
  /** Width of the images in pixels; `imageSize` makes extreme ones narrower. */
  width: number
  /** Priority of a job; `pages`, the only kind with content, by default. */
  kind?: Exclude<JobKind, 'inspection'>
  /** Receives each page once it is rendered. While its promises are pending, only a few further pages are rendered. */
  onPage: (result: PageResult) => unknown
  /** Returns true if another page may be rendered; called again after each page that was handled. */
  hasRoom?: () => boolean
  signal?: AbortSignal
} & AheadOptions

/**
 * Options of work that is done ahead of a request: until `wanted` resolves it ranks last, and it has little time. If it
 * fails for that reason, the request finds everything as if nothing had been tried.
 */
type AheadOptions = { wanted?: Promise<void> }

export type RenderRun = {
  /** Resolves when all pages are handled; rejects with errors of `onPage`, and `PdfError` `cancelled` or `closed`. */
  finished: Promise<void>
  /** Renders a page before all other pending ones, if it is still pending. */
  prioritize(page: number): void
}

export type Renderer = ReturnType<typeof createRenderer>

/**
 * Creates a renderer of PDF documents. It works in threads of its own, which enforce the limits on every document.
 * Files are identified by their path; the file at a path must not change.
 */
export function createRenderer(options: Partial<RendererOptions> = {}) {
  const limits = { ...defaults, ...options }
  const pool = new RenderPool(limits)
  const bitmapPool = new BitmapPool()

  const deadline = (deadlineMs: number, wanted?: Promise<void>) =>
    wanted === undefined ? deadlineMs : Math.min(deadlineMs, limits.aheadDeadlineMs)

  /** Opens a document and returns its facts. Rejects with a `PdfError`, or if the file cannot be read. */
  async function inspect(path: string, { wanted }: AheadOptions = {}): Promise<DocumentFacts> {
    let facts: DocumentFacts | undefined
    const job = new RenderJob({
      path,
      kind: 'inspection',
      pages: [0],
      deadlineMs: deadline(limits.inspectDeadlineMs, wanted),
      maxUnfinished: 1,
      wanted,
      requestFor: () => ({ kind: 'inspect', path, maxPages: limits.maxPages }),
      onOutcome: (_, outcome) => {
        facts = factsOf(outcome)
      },
    })
    pool.add(job)
    await job.finished
    return facts!
  }

  /**
   * Renders pages in the given order. A page that cannot be rendered is a result like others, and does not stop the
   * rest.
   */
  function renderPages(
    path: string,
    pages: Iterable<number>,
    { width, kind = 'pages', onPage, hasRoom, signal, wanted }: RenderOptions,
  ): RenderRun {
    const bitmaps = new PageBitmaps(bitmapPool)
    const job = new RenderJob({
      path,
      kind,
      pages,
      deadlineMs: deadline(limits.pageDeadlineMs, wanted),
      maxUnfinished: UNFINISHED_PER_WORKER * limits.workers,
      hasRoom,
      wanted,
      requestFor: (page) => {
        const bitmap = bitmaps.takeFor(page, width)
        return { kind: 'render', path, page, width, hasContent: kind === 'pages', bitmap }
      },
      onOutcome: (page, outcome) => onPage(resultOf(page, outcome, bitmaps)),
    })
    const cancel = () => job.end(new PdfError('cancelled'))
    const forget = () => signal?.removeEventListener('abort', cancel)
    job.finished.then(forget, forget)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel)
    pool.add(job)
    return { finished: job.finished, prioritize: (page) => job.prioritize(page) }
  }

  /** Starts a worker, and loads its image encoder, ahead of a document that is about to arrive. */
  function warm(): void {
    pool.warm().catch(() => {})
    loadSharp().catch(() => {})
  }

  return {
    inspect,
    renderPages,
    /** Takes an attached file out of a document; undefined if there is none by this id, or it is too large. */
    attachedFile: (path: string, id: string) => attachedFile(pool, path, id, limits.pageDeadlineMs),
    warm,
    /** Stops all workers, including workers that do not return. */
    close: () => pool.close(),
  }
}

async function attachedFile(pool: RenderPool, path: string, id: string, deadlineMs: number) {
  let outcome: Outcome | undefined
  // Negative numbers stand for attached files where a page that ends its worker is remembered.
  const [first, second = 0] = id.split('-').map(Number)
  const job = new RenderJob({
    path,
    kind: 'large-image',
    pages: [-(first * 1_000 + second)],
    deadlineMs,
    maxUnfinished: 1,
    requestFor: () => ({ kind: 'attachment', path, id }),
    onOutcome: (_, result) => {
      outcome = result
    },
  })
  pool.add(job)
  await job.finished
  if (outcome !== undefined && 'attached' in outcome) return outcome.attached
  throw failureOf(outcome!)
}

function factsOf(outcome: Outcome): DocumentFacts {
  if ('facts' in outcome) return outcome.facts
  throw failureOf(outcome)
}

function resultOf(page: number, outcome: Outcome, bitmaps: PageBitmaps): PageResult {
  if ('rendered' in outcome) return { page, ...outcome.rendered, free: bitmaps.freeing(page, outcome.rendered.image) }
  const failure = failureOf(outcome)
  if (failure instanceof PdfError) return { page, failed: failure.code, reason: failure.message }
  throw failure
}

function failureOf(outcome: Outcome): Error {
  if ('failed' in outcome) return new PdfError(outcome.failed)
  return new Error('error' in outcome ? outcome.error : 'The worker sent an unexpected answer')
}

/**
 * A page of 1,200 by 2,330 pixels; a taller or larger one gets memory of its own. Only written pages of it take memory.
 */
const BITMAP_BYTES = 8_388_608

/** Unused bitmaps that are kept, for the pages between a worker and their storage. */
const MAX_UNUSED = 12

/** Unused bitmaps are kept while pages are rendered, and this long after. */
const KEEP_MS = 2_000

/**
 * Memory for bitmaps that this thread shares with render threads, used again and again. Measured: a new buffer of seven
 * megabytes for each page costs a tenth of the processor time of rendering and encoding, because every third page
 * starts a collection of the whole process.
 */
export class BitmapPool {
  readonly #unused: SharedArrayBuffer[] = []
  #forgetting: NodeJS.Timeout | undefined

  /** The number of bitmaps that are kept for reuse. */
  get unused(): number {
    return this.#unused.length
  }

  /** Returns memory of undefined content, which the caller gives back when no thread uses it any more, or drops. */
  take(): SharedArrayBuffer {
    return this.#unused.pop() ?? new SharedArrayBuffer(BITMAP_BYTES)
  }

  give(bitmap: SharedArrayBuffer): void {
    if (this.#unused.length < MAX_UNUSED) this.#unused.push(bitmap)
    this.#forgetting ??= setTimeout(() => this.#forget(), KEEP_MS).unref()
    this.#forgetting.refresh()
  }

  #forget(): void {
    this.#unused.length = 0
    this.#forgetting = undefined
  }
}

/**
 * The bitmaps of the pages of a job. The bitmap of a page that fails is dropped: a worker that is being ended may still
 * write to it.
 */
class PageBitmaps {
  readonly #pool: BitmapPool
  readonly #taken = new Map<number, SharedArrayBuffer>()

  constructor(pool: BitmapPool) {
    this.#pool = pool
  }

  /** Returns memory for a page of a width in pixels; undefined for a large image, which gets memory of its own. */
  takeFor(page: number, width: number): SharedArrayBuffer | undefined {
    if (width > PAGE_WIDTH) return undefined
    const bitmap = this.#pool.take()
    this.#taken.set(page, bitmap)
    return bitmap
  }

  /** Returns a function that gives back the memory of a rendered page. */
  freeing(page: number, { data }: PageImage): () => void {
    const bitmap = this.#taken.get(page)
    this.#taken.delete(page)
    return () => {
      if (data.buffer instanceof ArrayBuffer) data.buffer.transfer(0)
      if (bitmap !== undefined) this.#pool.give(bitmap)
    }
  }
}
