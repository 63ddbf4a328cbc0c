import { Counter, Gauge, type Registry } from 'prom-client'
import { QueueFullError, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { FIRST_IMAGE, imageForm, PAGE_WIDTH } from '../model/image-forms.ts'
import { encodeImage } from './pages/encode-images.ts'
import type { StoredContent } from './pages/render-page.ts'
import type { Renderer } from './threads/renderer.ts'

export type PreparedDocumentsOptions = {
  /** Time after which a document that nobody has published is forgotten. */
  lifeMs: number
  /** Limit on the memory of everything prepared. */
  maxBytes?: number
}

/** Some two hundred ordinary documents: a first page of 150 kB each, its words, and the facts of the file. */
const DEFAULT_MAX_BYTES = 33_554_432

/**
 * One document at a time, so that files that nobody may ever publish occupy one worker at most, and workspaces in
 * turns. A document that would wait longer than for a few dozen others is inspected when it is published.
 */
const LIMITS: WorkQueueLimits = { running: 1, waiting: 64, waitingPerCaller: 32 }

/**
 * Documents that have been uploaded to this instance and are not published yet, opened and with their first page
 * rendered, so that publishing them takes no time. They are kept in memory only: a document that is missing here,
 * because it was refused, displaced, too slow, or prepared by another instance, is prepared when it is published.
 */
export class PreparedDocuments {
  readonly #deps: PrepareDocumentDeps & { metrics: PreparationMetrics }
  readonly #lifeMs: number
  readonly #maxBytes: number
  readonly #queue = new WorkQueue<void>(LIMITS)
  /** By blob key, the oldest first. */
  readonly #kept = new Map<string, Preparation>()

  constructor(
    deps: PrepareDocumentDeps & { metrics: PreparationMetrics },
    { lifeMs, maxBytes = DEFAULT_MAX_BYTES }: PreparedDocumentsOptions,
  ) {
    this.#deps = deps
    this.#lifeMs = lifeMs
    this.#maxBytes = maxBytes
  }

  /** The memory of everything prepared, in bytes. */
  get bytes(): number {
    return bytesOf(this.#kept.values())
  }

  /** Begins to prepare an uploaded document of a workspace, or puts it in line. Returns at once and never throws. */
  begin(blobKey: string, workspaceId: string): void {
    const preparation = new Preparation(workspaceId)
    this.#kept.set(blobKey, preparation)
    preparation.lifeTimer = setTimeout(() => this.#end(blobKey, preparation, 'expired'), this.#lifeMs).unref()
    this.#makeRoom()
    const client = { caller: workspaceId, signal: preparation.dropped }
    this.#queue
      .do(blobKey, client, () => this.#prepare(blobKey, preparation))
      .catch((error) => this.#end(blobKey, preparation, error instanceof QueueFullError ? 'displaced' : 'failed'))
  }

  /** Returns the facts of a document that has been, or is being, opened; undefined if it has to be inspected. */
  async facts(blobKey: string): Promise<DocumentFacts | undefined> {
    const preparation = this.#kept.get(blobKey)
    if (preparation === undefined) return undefined
    if (!preparation.hasBegun) {
      this.#end(blobKey, preparation, 'overtaken')
      return undefined
    }
    preparation.want()
    return await preparation.facts
  }

  /**
   * Hands over the first page of a document that has been, or is being, rendered, and forgets the document;
   * undefined if the page has to be rendered.
   */
  async takePage(blobKey: string): Promise<PreparedPage | undefined> {
    const preparation = this.#kept.get(blobKey)
    if (preparation === undefined) return undefined
    preparation.want()
    const page = preparation.hasBegun ? await preparation.page : undefined
    this.#end(blobKey, preparation, page === undefined ? 'failed' : 'used')
    return page
  }

  /** Forgets everything. Resolves when the preparation in progress has ended, which closing the renderer ends. */
  async close(): Promise<void> {
    for (const preparation of this.#kept.values()) preparation.drop()
    this.#kept.clear()
    await this.#queue.close()
  }

  async #prepare(blobKey: string, preparation: Preparation): Promise<void> {
    await prepareDocument(this.#deps, blobKey, preparation)
    this.#makeRoom()
  }

  /** Ends the oldest preparation of the workspace that takes most, until everything is within the limit. */
  #makeRoom(): void {
    while (this.bytes > this.#maxBytes) {
      const workspaces = Map.groupBy(this.#kept, ([, { workspaceId }]) => workspaceId).values()
      const sizeOf = (entries: [string, Preparation][]) => bytesOf(entries.map(([, preparation]) => preparation))
      const [largest] = [...workspaces].sort((a, b) => sizeOf(b) - sizeOf(a))
      this.#end(...largest[0], 'displaced')
    }
  }

  #end(blobKey: string, preparation: Preparation, end: PreparationEnd): void {
    if (this.#kept.get(blobKey) !== preparation) return
    this.#kept.delete(blobKey)
    preparation.drop()
    this.#deps.metrics.ended(end)
  }
}

function bytesOf(preparations: Iterable<Preparation>): number {
  let sum = 0
  for (const { bytes } of preparations) sum += bytes
  return sum
}

/** The least that a preparation counts for, which also bounds their number. */
const MIN_BYTES = 131_072

/** The preparation of one document: waiting, in progress or complete. */
class Preparation {
  readonly workspaceId: string
  hasBegun = false
  lifeTimer: NodeJS.Timeout | undefined
  #keptBytes = 0
  readonly #facts = Promise.withResolvers<DocumentFacts | undefined>()
  readonly #page = Promise.withResolvers<PreparedPage | undefined>()
  readonly #wanted = Promise.withResolvers<void>()
  readonly #dropped = new AbortController()

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId
  }

  /** Memory that the results take, in bytes. */
  get bytes(): number {
    return Math.max(MIN_BYTES, this.#keptBytes)
  }

  /** The facts of the document; undefined if it could not be inspected. */
  get facts(): Promise<DocumentFacts | undefined> {
    return this.#facts.promise
  }

  /** The first page of the document; undefined if it could not be rendered. */
  get page(): Promise<PreparedPage | undefined> {
    return this.#page.promise
  }

  /** Resolves when the document is being published. */
  get wanted(): Promise<void> {
    return this.#wanted.promise
  }

  /** Aborts when the results are of no use any more; a preparation that waits is then not begun. */
  get dropped(): AbortSignal {
    return this.#dropped.signal
  }

  want(): void {
    this.#wanted.resolve()
  }

  /** Keeps the facts. */
  inspected(facts: DocumentFacts): void {
    this.#keptBytes = JSON.stringify(facts).length
    this.#facts.resolve(facts)
  }

  /** Keeps the first page. */
  rendered(page: PreparedPage): void {
    const { text, words } = page.content
    this.#keptBytes += page.image.byteLength + text.length + words.byteLength
    this.#page.resolve(page)
  }

  /** Gives documents that have not been prepared by now as undefined. */
  finish(): void {
    this.#facts.resolve(undefined)
    this.#page.resolve(undefined)
  }

  drop(): void {
    clearTimeout(this.lifeTimer)
    this.#dropped.abort()
  }
}

export type PrepareDocumentDeps = {
  renderer: Renderer
  /** Opens documents as local files; `await using` releases them. */
  localDocuments: { localDocument(blobKey: string): Promise<AsyncDisposable & { readonly path: string }> }
}

/**
 * Inspects an uploaded document and renders its first page, in the expendable workers and within the limits of
 * work that nobody has asked for. Rejects if the document cannot be opened; the publisher gets the reason,
 * found again, on creating the publication.
 */
async function prepareDocument(
  { renderer, localDocuments }: PrepareDocumentDeps,
  blobKey: string,
  preparation: Preparation,
): Promise<void> {
  const { wanted } = preparation
  preparation.hasBegun = true
  try {
    await using document = await localDocuments.localDocument(blobKey)
    preparation.inspected(await renderer.inspect(document.path, { wanted }))
    const page = await renderFirstPage(renderer, document.path, wanted)
    if (page !== undefined) preparation.rendered(page)
  } finally {
    preparation.finish()
  }
}

/** A page with the first of its images. */
export type PreparedPage = { image: Uint8Array; content: StoredContent }

/**
 * Renders the first page of a document ahead of its publication, with its first image; undefined if the page cannot be
 * rendered in the time that this may take. Rejects with the `PdfError` `closed`.
 */
async function renderFirstPage(
  renderer: Renderer,
  path: string,
  wanted: Promise<void>,
): Promise<PreparedPage | undefined> {
  let prepared: PreparedPage | undefined
  const { finished } = renderer.renderPages(path, [1], {
    width: PAGE_WIDTH,
    wanted,
    async onPage(result) {
      if (result.failed !== undefined) return
      const { image, content } = result
      const { format, width } = imageForm(FIRST_IMAGE)!
      const { bytes } = await encodeImage(image, format, Math.min(width, image.width))
      result.free()
      prepared = { image: bytes, content: content! }
    },
  })
  await finished
  return prepared
}

/**
 * Ends of a preparation: its page was published; nobody published the document in time; it made room for others; it was
 * published before its turn; it could not be prepared.
 */
type PreparationEnd = (typeof ENDS)[number]

const ENDS = ['used', 'expired', 'displaced', 'overtaken', 'failed'] as const

type PreparationMetrics = ReturnType<typeof createPreparationMetrics>

/** Creates the metrics of preparations; `countBytes` is called when metrics are collected. */
export function createPreparationMetrics(registry: Registry, countBytes: () => number) {
  const registers = [registry]
  const ended = new Counter({
    name: 'publications_preparations_total',
    help: 'Uploaded documents that were prepared ahead of their publication, by what became of it.',
    labelNames: ['result'],
    registers,
  })
  // Known from the start, so that a rate sees the first of them.
  for (const result of ENDS) ended.inc({ result }, 0)
  new Gauge({
    name: 'publications_prepared_bytes',
    help: 'Memory of documents that are prepared and not published yet.',
    registers,
    collect() {
      this.set(countBytes())
    },
  })
  return {
    /** Counts a preparation that has ended. */
    ended: (result: PreparationEnd) => ended.inc({ result }),
  }
}
