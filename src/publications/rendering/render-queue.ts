import { LEASE_MS, LeasedQueue, LONG_WORK } from '#platform/jobs/leased-queue.ts'
import type { VersionRow } from '../model/tables.ts'
import type { WorkKind } from '../model/versions.ts'
import { isExternal, isStop, PdfError } from './pdfium/pdf-error.ts'
import { VersionGoneError, VersionWork } from './render-version.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

/** Interval of searches for unannounced work: of another instance, or left behind by one that died. */
const SEARCH_EVERY_MS = 1_000
/** Documents rendered concurrently, in turns, so that a huge or hostile one does not delay a small one. */
const MAX_CONCURRENT = 6
/** Limit on remembered requests for pages of other versions. A forgotten request only loses its priority. */
const MAX_PENDING_PRIORITIES = 1_000

/** Topic of the notice that a request waits for a page: `[versionId, page]`. */
const PAGE_WANTED = 'page-wanted'

/** Renders versions that have work; of all instances, one at a time works on a version. */
export class RenderQueue extends LeasedQueue<VersionWork> {
  readonly #deps: RenderWorkDeps
  readonly #works = new Map<string, VersionWork>()
  /** Requested pages of versions that this instance has not leased, but may be about to. */
  readonly #pendingPriorities = new Map<string, Set<number>>()
  #unsubscribe: (() => void) | undefined
  #externalFailures = 0

  constructor(deps: RenderWorkDeps) {
    const { logger } = deps
    super({
      noun: 'documents to render',
      searchEveryMs: SEARCH_EVERY_MS,
      ...LONG_WORK,
      logger,
    })
    this.#deps = deps
  }

  override start(): void {
    this.#unsubscribe = this.#deps.notices?.subscribe(PAGE_WANTED, (payload) => {
      if (payload === undefined) return
      const [versionId, page] = JSON.parse(payload) as [string, number]
      this.#prioritizeHere(versionId, page)
    })
    super.start()
  }

  /** Has a page without a row rendered before others, by the instance that works on its version. */
  async prioritize(versionId: string, page: number): Promise<void> {
    const { versions, notices, now } = this.#deps
    if (this.isClosed) return
    this.#prioritizeHere(versionId, page)
    if (this.#works.has(versionId)) return
    const claimed = await versions.claimOne(versionId, this.leaseOwner, now(), now() + LEASE_MS)
    if (claimed === undefined) await notices?.publish(PAGE_WANTED, JSON.stringify([versionId, page]))
    else this.#take(claimed, 'pages')
  }

  /** Stops within seconds and releases all leases, so that other instances continue at once. */
  override async close(): Promise<void> {
    this.#unsubscribe?.()
    await super.close()
  }

  protected override stopWork(): void {
    for (const work of this.#works.values()) work.stop()
  }

  #prioritizeHere(versionId: string, page: number): void {
    const work = this.#works.get(versionId)
    if (work !== undefined) {
      work.prioritize(page)
      return
    }
    if (this.#pendingPriorities.size >= MAX_PENDING_PRIORITIES) this.#pendingPriorities.clear()
    const wanted = this.#pendingPriorities.get(versionId) ?? new Set()
    if (wanted.size < MAX_PENDING_PRIORITIES) wanted.add(page)
    this.#pendingPriorities.set(versionId, wanted)
  }

  /** Claims pages up to the limit, and further images only while there are no pages without any. */
  protected async search(): Promise<void> {
    while (this.#hasRoom() && (await this.#claim('pages')));
    if (this.#works.size === 0) await this.#claim('further images')
  }

  #hasRoom(): boolean {
    const busy = [...this.#works.values()].filter(({ kind }) => kind === 'pages').length
    return busy < MAX_CONCURRENT && !this.isClosed
  }

  async #claim(kind: WorkKind): Promise<boolean> {
    const { versions, now } = this.#deps
    const version = await versions.claim(kind, this.leaseOwner, now(), now() + LEASE_MS, [...this.#works.keys()])
    if (version !== undefined) this.#take(version, kind)
    return version !== undefined
  }

  #take(version: VersionRow, kind: WorkKind): void {
    const work = new VersionWork(this.#deps, version, kind)
    // Further images wait while there are pages without any.
    if (kind === 'pages') for (const other of this.#works.values()) if (other.kind !== kind) other.stop()
    this.#works.set(version.id, work)
    for (const page of this.#pendingPriorities.get(version.id) ?? []) work.prioritize(page)
    this.#pendingPriorities.delete(version.id)
    if (this.isClosed) work.stop()
    this.take(work)
  }

  protected async run(work: VersionWork): Promise<void> {
    const { versions, logger } = this.#deps
    const { id } = work.version
    try {
      await work.render()
      this.#externalFailures = 0
      await versions.release(id, this.leaseOwner, null, true)
    } catch (error) {
      // A lease that cannot be released expires.
      await this.#putBack(work, error).catch((err) => {
        if (!this.isClosed) logger.warn({ err, versionId: id }, 'a rendering lease could not be released')
      })
    } finally {
      this.#works.delete(id)
    }
  }

  /**
   * Releases the lease after a failure. A failure of the document counts as an
   * attempt; an external one is retried forever.
   */
  async #putBack(work: VersionWork, error: unknown): Promise<void> {
    const { versions, logger, now } = this.#deps
    const { id, attempts } = work.version
    if (error instanceof VersionGoneError) return
    if (error instanceof PdfError && isStop(error.code)) return await versions.release(id, this.leaseOwner, null, false)
    const isCounted = !isExternal(error)
    const failures = isCounted ? attempts : ++this.#externalFailures
    logger.warn({ err: error, versionId: id, attempts }, 'rendering a document failed; it will be retried')
    await versions.release(id, this.leaseOwner, now() + pauseAfterMs(failures), isCounted)
  }

  protected override async extendLeases(): Promise<void> {
    const { versions, now } = this.#deps
    const ids = [...this.#works.keys()]
    const held = new Set(await versions.extendLeases(ids, this.leaseOwner, now() + LEASE_MS))
    // The version was deleted, or taken over while this process was suspended.
    for (const id of ids) if (!held.has(id)) this.#works.get(id)?.stop()
  }
}

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 15_000

/** Returns the pause after a number of consecutive failures, from 1 on: it doubles each time, up to 15 seconds. */
function pauseAfterMs(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
}
