import { ConnectionLimit } from '#platform/http/limits/connection-limit.ts'
import type { ImageClient } from '../rendering/jobs/image-maker.ts'
import type { VersionChanges } from '../rendering/jobs/version-changes.ts'
import type { PagesStore, StoredPage } from '../storage/pages-store.ts'

/**
 * Concurrent requests that may wait for pages, of all and of each caller; each holds a connection and little else. A
 * caller may be a CDN, which asks for many readers.
 */
const MAX_WAITS = { total: 2_000, perCaller: 500 }

type Wait = { page: number; end: (row: StoredPage | undefined) => void }
type Waits = { all: Set<Wait>; unwatch: () => void; isLooking: boolean; lookAgain: boolean }

/** Holds requests until their pages are finished, with one query for all requests for pages of a version. */
export class PageWaits {
  readonly #pages: Pick<PagesStore, 'find'>
  readonly #changes: Pick<VersionChanges, 'watch'>
  readonly #byVersion = new Map<string, Waits>()
  readonly #held = new ConnectionLimit(MAX_WAITS)
  #isClosed = false

  constructor(pages: Pick<PagesStore, 'find'>, changes: Pick<VersionChanges, 'watch'>) {
    this.#pages = pages
    this.#changes = changes
  }

  /** The number of waiting requests. */
  get count(): number {
    return this.#held.count
  }

  /**
   * Resolves with the page's row once it exists; with undefined when the signal aborts, or if too many requests wait.
   */
  async wait(versionId: string, page: number, { caller, signal }: ImageClient): Promise<StoredPage | undefined> {
    if (this.#isClosed || signal.aborted) return undefined
    const release = this.#held.hold(caller)
    if (release === undefined) return undefined
    const waits = this.#waitsOf(versionId)
    const { promise, resolve } = Promise.withResolvers<StoredPage | undefined>()
    const wait: Wait = { page, end: resolve }
    const giveUp = () => resolve(undefined)
    waits.all.add(wait)
    signal.addEventListener('abort', giveUp)
    // The page may have been finished just before.
    void this.#look(versionId, waits)
    try {
      return await promise
    } finally {
      release()
      signal.removeEventListener('abort', giveUp)
      waits.all.delete(wait)
      if (waits.all.size === 0) this.#end(versionId, waits)
    }
  }

  /** Ends all waits; later requests do not wait. */
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
      // The version is deleted or unpublished.
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
      // If the database is unavailable, the next look follows within a second.
      const rows = await this.#pages.find(versionId, [...wanted]).catch(() => [])
      const byPage = new Map(rows.map((row) => [row.page, row]))
      for (const { page, end } of waits.all) if (byPage.has(page)) end(byPage.get(page))
    }
    waits.isLooking = false
  }
}
