import { randomUUID } from 'node:crypto'
import type { VersionRow } from '../../storage/tables.ts'
import type { WorkKind } from '../../storage/versions-store.ts'
import { settledWithin } from './all-settled-or-timeout.ts'
import { isEnded, isOutside, pauseAfterMs } from './failure-kinds.ts'
import { VersionGoneError } from './page-work.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'
import { VersionWork } from './version-work.ts'

/** After a crash others wait so long; a lease is prolonged so often that a slow moment does not end it. */
const LEASE_MS = 10_000
const PROLONG_EVERY_MS = 3_000
/** How often the database is searched for what nobody announced: of another instance, or left by one that died. */
const SEARCH_EVERY_MS = 1_000
/** Documents rendered at once, in turns, so that a huge or hostile one does not hold up a small one. */
const MAX_AT_ONCE = 6
/** Who waits is not forgotten for long, and comes again; it only costs the turn. */
const MAX_WANTED_EARLY = 1_000
/** When closing, what is just being written gets so long. */
const CLOSE_WITHIN_MS = 3_000

/** Topic of the notice that somebody waits for a page: `[versionId, page, image]`. */
const PAGE_WANTED = 'page-wanted'

/**
 * Renders what is to be rendered: of all instances, each version is with one at a time. Rows are the only job list; after
 * a crash at any line the lease runs out, and another goes on with the pages that have no row.
 */
export class RenderQueue {
  readonly #deps: RenderWorkDeps
  readonly #owner = randomUUID()
  readonly #works = new Map<string, VersionWork>()
  /** Pages wanted of versions that this instance has no lease of, and may be just about to get. */
  readonly #wantedEarly = new Map<string, [page: number, name: string][]>()
  /** What is under way, for closing to wait for. */
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #unsubscribe: (() => void) | undefined
  #isSearching = false
  #searchAgain = false
  #outsideFailures = 0

  constructor(deps: RenderWorkDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timers.push(
      setInterval(() => this.wake(), SEARCH_EVERY_MS).unref(),
      setInterval(() => void this.#prolong(), PROLONG_EVERY_MS).unref(),
    )
    this.#unsubscribe = this.#deps.notices?.subscribe(PAGE_WANTED, (payload) => {
      if (payload === undefined) return
      const [versionId, page, name] = JSON.parse(payload) as [string, number, string]
      this.#want(versionId, page, name)
    })
    this.wake()
  }

  /** Looks for work now: something has been created. */
  wake(): void {
    this.#searchAgain = true
    if (this.#isClosing || this.#isSearching) return
    this.#isSearching = true
    this.#track(this.#search().finally(() => (this.#isSearching = false)))
  }

  /** Has a page that has no row yet rendered before others, by whoever works on its version. */
  async hurry(versionId: string, page: number, name: string): Promise<void> {
    const { versions, notices, now } = this.#deps
    if (this.#isClosing) return
    this.#want(versionId, page, name)
    if (this.#works.has(versionId)) return
    const claimed = await versions.claimOne(versionId, this.#owner, now(), now() + LEASE_MS)
    if (claimed === undefined) await notices?.publish(PAGE_WANTED, JSON.stringify([versionId, page, name]))
    else this.#take(claimed, 'pages')
  }

  /** Stops within seconds and gives back all leases, so that others go on at once. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#unsubscribe?.()
    for (const timer of this.#timers) clearInterval(timer)
    for (const work of this.#works.values()) work.stop()
    await settledWithin(CLOSE_WITHIN_MS, this.#running)
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted
  }

  #want(versionId: string, page: number, name: string): void {
    const work = this.#works.get(versionId)
    if (work !== undefined) {
      work.moveToFront(page, name)
      return
    }
    if (this.#wantedEarly.size >= MAX_WANTED_EARLY) this.#wantedEarly.clear()
    const wanted = this.#wantedEarly.get(versionId) ?? []
    if (wanted.length < MAX_WANTED_EARLY) wanted.push([page, name])
    this.#wantedEarly.set(versionId, wanted)
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
      if (!this.#isClosing) this.#deps.logger.warn({ err }, 'search for documents to render failed')
    }
  }

  #hasRoom(): boolean {
    const busy = [...this.#works.values()].filter(({ kind }) => kind === 'pages').length
    return busy < MAX_AT_ONCE && !this.#isClosing
  }

  async #claim(kind: WorkKind): Promise<boolean> {
    const { versions, now } = this.#deps
    const version = await versions.claim(kind, this.#owner, now(), now() + LEASE_MS)
    if (version !== undefined) this.#take(version, kind)
    return version !== undefined
  }

  #take(version: VersionRow, kind: WorkKind): void {
    const work = new VersionWork(this.#deps, version, kind)
    // Further images can wait for pages that have none.
    if (kind === 'pages') for (const other of this.#works.values()) if (other.kind !== kind) other.stop()
    this.#works.set(version.id, work)
    for (const [page, name] of this.#wantedEarly.get(version.id) ?? []) work.moveToFront(page, name)
    this.#wantedEarly.delete(version.id)
    if (this.#isClosing) work.stop()
    void this.#track(this.#carryOut(work))
  }

  async #carryOut(work: VersionWork): Promise<void> {
    const { versions, logger } = this.#deps
    const { id } = work.version
    try {
      await work.render()
      this.#outsideFailures = 0
      await versions.release(id, this.#owner, null, true)
    } catch (error) {
      // The lease runs out where it cannot be given back.
      await this.#putBack(work, error).catch((err) => {
        if (!this.#isClosing) logger.warn({ err, versionId: id }, 'a lease could not be given back')
      })
    } finally {
      this.#works.delete(id)
      this.wake()
    }
  }

  /** What failed for a reason of its own counts as an attempt; what did not is tried until it succeeds. */
  async #putBack(work: VersionWork, error: unknown): Promise<void> {
    const { versions, logger, now } = this.#deps
    const { id, attempts } = work.version
    if (error instanceof VersionGoneError) return
    if (isEnded(error)) return await versions.release(id, this.#owner, null, false)
    const isCounted = !isOutside(error)
    const failures = isCounted ? attempts : ++this.#outsideFailures
    logger.warn({ err: error, versionId: id, attempts }, 'a document could not be rendered, and is tried again')
    await versions.release(id, this.#owner, now() + pauseAfterMs(failures), isCounted)
  }

  async #prolong(): Promise<void> {
    const { versions, logger, now } = this.#deps
    const ids = [...this.#works.keys()]
    try {
      const held = new Set(await versions.prolong(ids, this.#owner, now() + LEASE_MS))
      // Deleted, or taken over while this process was standing still.
      for (const id of ids) if (!held.has(id)) this.#works.get(id)?.stop()
    } catch (err) {
      if (!this.#isClosing) logger.warn({ err }, 'leases of documents could not be prolonged')
    }
  }
}
