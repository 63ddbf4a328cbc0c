import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '#platform/basics/errors.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { LEASE_MS, LeasedQueue, LONG_WORK } from '#platform/jobs/leased-queue.ts'
import { inSpan, rootContext } from '#platform/tracing/spans.ts'
import { type DocumentFacts, pageCharacters } from '../model/document-content.ts'
import type { VersionsStore } from '../model/versions.ts'
import type { LanguageDetector } from '../rendering/detect-language.ts'
import type { PageImage } from '../rendering/pages/render-page.ts'
import { isStop, PdfError } from '../rendering/pdfium/pdf-error.ts'
import type { RenderWorkDeps } from '../rendering/render-work-deps.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import type { SourceReader } from '../sources/source-reader.ts'
import { addRecognizedText } from './add-text.ts'
import type { RecognitionTask } from './recognition-worker.ts'
import { type LeasedPage, PageLostError, type RecognitionStore, type VersionToRecognize } from './store.ts'
import { type TextRecognizer, UnreadablePageError } from './text-recognizer.ts'

/** Interval of searches for new work: nobody waits for it. */
const SEARCH_EVERY_MS = 2_000
/** Versions that are looked through at once. Most have text on every page, and are done with. */
const VERSIONS_AT_ONCE = 20
/** Workspaces that are remembered, and left out of a search, in a round of turns. */
const MAX_SERVED = 1_000
/** A page that was claimed this often without an end crashes its process. */
const MAX_ATTEMPTS = 3
const PAUSE_MS = 15_000

/** Tesseract is made for letters of scans at 300 dots an inch. */
const DOTS_PER_INCH = 300
const POINTS_PER_INCH = 72
/** A page of A4 at 300 dots an inch has 8.7 million pixels; larger pages are recognised at fewer dots. */
const MAX_PIXELS = 12_000_000

type Deps = {
  store: RecognitionStore
  recognizer: TextRecognizer
  renderer: Renderer
  versions: VersionsStore
  languageDetector: LanguageDetector
  localDocuments: RenderWorkDeps['localDocuments']
  sourceReader: SourceReader
  blobs: BlobStore
  logger: Logger
  now: () => number
}

/** A page to recognise; without one, the recognised text of all pages is added to the version's file. */
type Work = { version: VersionToRecognize; page: LeasedPage | undefined; stop: AbortController }

/**
 * Recognises the text of pages without any, one page at a time, and only while no instance has anything to render. The
 * row of a page is the job: a crash loses the work on one page. Workspaces take turns, a page each.
 */
export class RecognitionQueue extends LeasedQueue<Work> {
  readonly #deps: Deps
  #work: Work | undefined
  /** Workspaces that have had their turn: a long scan of one does not hold up the others' scans. */
  readonly #served = new Set<string>()

  constructor(deps: Deps) {
    const { logger } = deps
    super({
      noun: 'pages to recognise',
      searchEveryMs: SEARCH_EVERY_MS,
      ...LONG_WORK,
      logger,
    })
    this.#deps = deps
  }

  protected override stopWork(): void {
    this.#work?.stop.abort()
  }

  protected async search(): Promise<void> {
    if (this.#work !== undefined || (await this.#deps.store.isRendering())) return
    for (;;) {
      const work = await this.#findWork()
      if (work !== undefined) {
        if (this.#served.size === MAX_SERVED) this.#served.clear()
        this.#served.add(work.version.workspaceId)
        if (this.isClosed) work.stop.abort()
        this.#work = work
        return this.take(work)
      }
      if (this.#served.size === 0) return
      // Every workspace with work has had its turn.
      this.#served.clear()
    }
  }

  /** Leases a page of a workspace that has not had its turn, and ends versions without further pages. */
  async #findWork(): Promise<Work | undefined> {
    const { store, now } = this.#deps
    for (let isOver = false; !isOver && !this.isClosed; ) {
      isOver = true
      for (const version of await store.listVersions(VERSIONS_AT_ONCE, [...this.#served])) {
        const lease = { owner: this.leaseOwner, nowMs: now(), untilMs: now() + LEASE_MS }
        const page = await store.claimPage(version.id, lease)
        if (page === 'leased') continue
        const stop = new AbortController()
        if (page !== undefined || (await this.#wantsText(version))) return { version, page, stop }
        await store.finish(version.id, now())
        isOver = false
      }
    }
  }

  /** The PDF of images gets the words that were recognised in them; a file that was uploaded stays as it is. */
  async #wantsText({ id, path }: VersionToRecognize): Promise<boolean> {
    return path !== null && !/\.pdf$/i.test(path) && (await this.#deps.store.hasRecognized(id))
  }

  protected async run(work: Work): Promise<void> {
    const attributes = { 'trackpress.page': work.page?.page ?? 0 }
    const name = work.page === undefined ? 'add recognised text' : 'recognise page'
    try {
      await inSpan(name, { attributes, within: rootContext() }, () =>
        work.page === undefined ? this.#addText(work) : this.#recognizeOrRelease(work, work.page),
      )
    } catch (err) {
      // A lease that cannot be released expires.
      this.#deps.logger.warn({ err, versionId: work.version.id }, 'a step of recognition could not be ended')
    } finally {
      this.#work = undefined
    }
  }

  async #addText({ version, stop }: Work): Promise<void> {
    const { store, logger, now } = this.#deps
    try {
      await addRecognizedText(this.#deps, version)
    } catch (err) {
      if (stop.signal.aborted) return
      logger.warn({ err, versionId: version.id }, 'recognised text could not be added to a PDF')
      if (unavailable.is(err)) await wait(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {})
      else await store.finish(version.id, now())
    }
  }

  async #recognizeOrRelease(work: Work, page: LeasedPage): Promise<void> {
    const { store, logger } = this.#deps
    try {
      if (page.attempts > MAX_ATTEMPTS) throw new UnreadablePageError()
      await this.#recognize(work, page)
    } catch (error) {
      const end = isUnreadable(error)
        ? store.giveUp(page, this.leaseOwner)
        : store.release(page, this.leaseOwner, ...this.#pauseAfter(error, work))
      if (!(error instanceof PageLostError) && !work.stop.signal.aborted)
        logger.warn({ err: error, versionId: work.version.id, page: page.page }, 'a page could not be recognised')
      await end
    }
  }

  /** Returns the time before which a page is not tried again, and whether the attempt counts. */
  #pauseAfter(error: unknown, { stop }: Work): [notBeforeMs: number | null, isCounted: boolean] {
    if (stop.signal.aborted) return [null, false]
    return [this.#deps.now() + PAUSE_MS, !unavailable.is(error)]
  }

  async #recognize({ version, stop }: Work, page: LeasedPage): Promise<void> {
    const { store, recognizer, versions, localDocuments, renderer, languageDetector } = this.#deps
    const facts = JSON.parse((await versions.findFacts(version.id)) ?? '{}') as Partial<DocumentFacts>
    const { widthPt = 612, heightPt = 792 } = facts.pages?.[page.page - 1] ?? {}
    await using document = await localDocuments.localDocument(version.blobKey)
    const width = recognitionWidth(widthPt, heightPt)
    const image = await renderPage(renderer, document.path, page.page, width, stop.signal)
    const stated = version.language ?? facts.language
    const { detectedLanguage } = facts
    const maxCharacters = pageCharacters(version.pageCount)
    const content = await recognizer.recognize(
      { image, stated, detectedLanguage, words: page.words, maxCharacters },
      stop.signal,
    )
    await store.record(page, this.leaseOwner, content)
    await languageDetector.detect(version.id)
  }

  protected override async extendLeases(): Promise<void> {
    const { store, now } = this.#deps
    const work = this.#work
    if (work?.page === undefined) return
    // The page was deleted, or taken over while this process was suspended.
    if (!(await store.extend(work.page, this.leaseOwner, now() + LEASE_MS)) && this.#work === work) work.stop.abort()
  }
}

/** Returns true for a failure that another attempt would meet again. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof PdfError) return !isStop(error.code)
  return error instanceof UnreadablePageError
}

/** Returns the width in pixels at which a page is recognised. */
function recognitionWidth(widthPt: number, heightPt: number): number {
  const width = Math.max(1, (widthPt / POINTS_PER_INCH) * DOTS_PER_INCH)
  const height = Math.max(1, (heightPt / POINTS_PER_INCH) * DOTS_PER_INCH)
  return Math.max(1, Math.floor(width * Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)))))
}

/** Draws a page. Its image is not shared with the renderer, so that it can move to another thread. */
async function renderPage(
  renderer: Renderer,
  path: string,
  page: number,
  width: number,
  signal: AbortSignal,
): Promise<RecognitionTask['image']> {
  const { promise, resolve, reject } = Promise.withResolvers<PageImage>()
  const { finished } = renderer.renderPages(path, [page], {
    width,
    kind: 'further-images',
    signal,
    onPage: (result) => (result.failed === undefined ? resolve(result.image) : reject(new PdfError(result.failed))),
  })
  finished.catch(reject)
  const { data, ...size } = await promise
  return { ...size, data: data.buffer instanceof ArrayBuffer ? data : data.slice() }
}
