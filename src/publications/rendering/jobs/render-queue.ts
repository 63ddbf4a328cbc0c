import { randomUUID } from 'node:crypto'
import type { VersionRow } from '../../storage/tables.ts'
import type { WorkKind } from '../../storage/versions-store.ts'
import { allSettledOrTimeout } from './all-settled-or-timeout.ts'
import { isExternal, isStopped, pauseAfterMs } from './failure-kinds.ts'
import { VersionGoneError } from './page-work.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'
import { VersionWork } from './version-work.ts'

/** After a crash, other instances wait this long; leases are extended often enough to survive a slow moment. */
const LEASE_MS = 10_000
const EXTEND_EVERY_MS = 3_000
/** Interval of searches for unannounced work: of another instance, or left behind by one that died. */
const SEARCH_EVERY_MS = 1_000
/** Documents rendered concurrently, in turns, so that a huge or hostile one does not delay a small one. */
const MAX_CONCURRENT = 6
/** Limit on remembered requests for pages of other versions. A forgotten request only loses its priority. */
const MAX_PENDING_PRIORITIES = 1_000
/** Time for writes in progress when closing. */
const CLOSE_WITHIN_MS = 3_000

/** Topic of the notice that a request waits for a page: `[versionId, page]`. */
const PAGE_WANTED = 'page-wanted'

/**
 * Renders versions that have work; of all instances, one at a time works on a version. Rows are the only job list:
 * after a crash at any point the lease expires, and another instance continues with the pages that have no row.
 */
export class RenderQueue {
  readonly #deps: RenderWorkDeps
  readonly #owner = randomUUID()
  readonly #works = new Map<string, VersionWork>()
  /** Requested pages of versions that this instance has not leased, but may be about to. */
  readonly #pendingPriorities = new Map<string, Set<number>>()
  /** Work in progress, which `close` waits for. */
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #unsubscribe: (() => void) | undefined
  #isSearching = false
  #searchAgain = false
  #externalFailures = 0

  constructor(deps: RenderWorkDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timers.push(
      setInterval(() => this.wake(), SEARCH_EVERY_MS).unref(),
      setInterval(() => void this.#extendLeases(), EXTEND_EVERY_MS).unref(),
    )
    this.#unsubscribe = this.#deps.notices?.subscribe(PAGE_WANTED, (payload) => {
      if (payload === undefined) return
      const [versionId, page] = JSON.parse(payload) as [string, number]
      this.#prioritizeHere(versionId, page)
    })
    this.wake()
  }

  /** Looks for work now, because something has been created. */
  wake(): void {
    this.#searchAgain = true
    if (this.#isClosing || this.#isSearching) return
    this.#isSearching = true
    this.#track(this.#search().finally(() => (this.#isSearching = false)))
  }

  /** Has a page without a row rendered before others, by the instance that works on its version. */
  async prioritize(versionId: string, page: number): Promise<void> {
    const { versions, notices, now } = this.#deps
    if (this.#isClosing) return
    this.#prioritizeHere(versionId, page)
    if (this.#works.has(versionId)) return
    const claimed = await versions.claimOne(versionId, this.#owner, now(), now() + LEASE_MS)
    if (claimed === undefined) await notices?.publish(PAGE_WANTED, JSON.stringify([versionId, page]))
    else this.#take(claimed, 'pages')
  }

  /** Stops within seconds and releases all leases, so that other instances continue at once. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#unsubscribe?.()
    for (const timer of this.#timers) clearInterval(timer)
    for (const work of this.#works.values()) work.stop()
    await allSettledOrTimeout(CLOSE_WITHIN_MS, this.#running)
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted
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

  #track<Result>(promise: Promise<Result>): Promise<Result> {
    this.#running.add(promise)
    const forget = () => this.#running.delete(promise)
    promise.then(forget, forget)
    return promise
  }

  async #search(): Promise<void> {
    try {
      while (this.#searchAgain && !this.#isClosing) {
        this.#searchAgain = false
        while (this.#hasRoom() && (await this.#claim('pages')));
        if (this.#works.size === 0) await this.#claim('further images')
      }
    } catch (err) {
      if (!this.#isClosing) this.#deps.logger.warn({ err }, 'searching for documents to render failed')
    }
  }

  #hasRoom(): boolean {
    const busy = [...this.#works.values()].filter(({ kind }) => kind === 'pages').length
    return busy < MAX_CONCURRENT && !this.#isClosing
  }

  async #claim(kind: WorkKind): Promise<boolean> {
    const { versions, now } = this.#deps
    const version = await versions.claim(kind, this.#owner, now(), now() + LEASE_MS, [...this.#works.keys()])
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
    if (this.#isClosing) work.stop()
    void this.#track(this.#render(work))
  }

  async #render(work: VersionWork): Promise<void> {
    const { versions, logger } = this.#deps
    const { id } = work.version
    try {
      await work.render()
      this.#externalFailures = 0
      await versions.release(id, this.#owner, null, true)
    } catch (error) {
      // A lease that cannot be released expires.
      await this.#putBack(work, error).catch((err) => {
        if (!this.#isClosing) logger.warn({ err, versionId: id }, 'a rendering lease could not be released')
      })
    } finally {
      this.#works.delete(id)
      this.wake()
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
    if (isStopped(error)) return await versions.release(id, this.#owner, null, false)
    const isCounted = !isExternal(error)
    const failures = isCounted ? attempts : ++this.#externalFailures
    logger.warn({ err: error, versionId: id, attempts }, 'rendering a document failed; it will be retried')
    await versions.release(id, this.#owner, now() + pauseAfterMs(failures), isCounted)
  }

  async #extendLeases(): Promise<void> {
    const { versions, logger, now } = this.#deps
    const ids = [...this.#works.keys()]
    try {
      const held = new Set(await versions.extendLeases(ids, this.#owner, now() + LEASE_MS))
      // The version was deleted, or taken over while this process was suspended.
      for (const id of ids) if (!held.has(id)) this.#works.get(id)?.stop()
    } catch (err) {
      if (!this.#isClosing) logger.warn({ err }, 'rendering leases could not be extended')
    }
  }
}
