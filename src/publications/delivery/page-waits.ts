import type { VersionChanges } from '../rendering/work/version-changes.ts'
import type { PagesStore, StoredPage } from '../storage/pages-store.ts'

/** Requests that may wait for pages at once: each holds a connection and little else. */
const MAX_WAITS = 2_000

type Wait = { page: number; end: (row: StoredPage | undefined) => void }
type Waits = { all: Set<Wait>; unwatch: () => void; isLooking: boolean; lookAgain: boolean }

/** Requests that wait for pages to be finished: one query for all that wait for pages of a version. */
export class PageWaits {
  readonly #pages: PagesStore
  readonly #changes: VersionChanges
  readonly #byVersion = new Map<string, Waits>()
  #count = 0
  #isClosed = false

  constructor(pages: PagesStore, changes: VersionChanges) {
    this.#pages = pages
    this.#changes = changes
  }

  /** How many requests wait. */
  get count(): number {
    return this.#count
  }

  /** Resolves with the page's row as soon as it has one; with undefined when the signal ends the waiting, or too many wait. */
  async wait(versionId: string, page: number, signal: AbortSignal): Promise<StoredPage | undefined> {
    if (this.#isClosed || this.#count >= MAX_WAITS || signal.aborted) return undefined
    const waits = this.#waitsOf(versionId)
    const { promise, resolve } = Promise.withResolvers<StoredPage | undefined>()
    const wait: Wait = { page, end: resolve }
    const giveUp = () => resolve(undefined)
    waits.all.add(wait)
    this.#count++
    signal.addEventListener('abort', giveUp)
    // It may have been finished just before.
    void this.#look(versionId, waits)
    try {
      return await promise
    } finally {
      this.#count--
      signal.removeEventListener('abort', giveUp)
      waits.all.delete(wait)
      if (waits.all.size === 0) this.#end(versionId, waits)
    }
  }

  /** Ends all waiting, and whoever comes later does not wait. */
  close(): void {
    this.#isClosed = true
    for (const { all } of this.#byVersion.values()) for (const { end } of all) end(undefined)
  }

  #waitsOf(versionId: string): Waits {
    const known = this.#byVersion.get(versionId)
    if (known !== undefined) return known
    const waits: Waits = { all: new Set(), unwatch: () => {}, isLooking: false, lookAgain: false }
    this.#byVersion.set(versionId, waits)
    waits.unwatch = this.#changes.watch(versionId, (progress) => {
      // Nobody waits for what is deleted or withdrawn.
      if (progress === undefined) for (const { end } of waits.all) end(undefined)
      else void this.#look(versionId, waits)
    })
    return waits
  }

  #end(versionId: string, waits: Waits): void {
    waits.unwatch()
    if (this.#byVersion.get(versionId) === waits) this.#byVersion.delete(versionId)
  }

  async #look(versionId: string, waits: Waits): Promise<void> {
    waits.lookAgain = true
    if (waits.isLooking) return
    waits.isLooking = true
    while (waits.lookAgain && waits.all.size > 0) {
      waits.lookAgain = false
      const wanted = new Set([...waits.all].map(({ page }) => page))
      // Without a database the next look, a second later, may find one.
      const rows = await this.#pages.find(versionId, [...wanted]).catch(() => [])
      const byPage = new Map(rows.map((row) => [row.page, row]))
      for (const { page, end } of waits.all) if (byPage.has(page)) end(byPage.get(page))
    }
    waits.isLooking = false
  }
}
