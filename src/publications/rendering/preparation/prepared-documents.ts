import type { DocumentFacts } from '../../domain/document-facts.ts'
import { QueueFullError, WorkQueue, type WorkQueueLimits } from '../../queues/work-queue.ts'
import type { PreparedPage } from './first-page.ts'
import { Preparation } from './preparation.ts'
import type { PreparationEnd, PreparationMetrics } from './preparation-metrics.ts'
import { type PrepareDocumentDeps, prepareDocument } from './prepare-document.ts'

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
 * rendered, so that publishing them takes no time. They are kept in memory only: whatever is missing here, because it
 * was refused, displaced, too slow, or prepared by another instance, is done when the document is published.
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
