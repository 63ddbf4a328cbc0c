import type { Notices } from '#platform/database/notices.ts'
import type { VersionProgress, VersionsStore } from '../../storage/versions-store.ts'

/** Told how far a version is, and undefined when it has been deleted. */
export type ProgressListener = (progress: VersionProgress | undefined) => void

/** Topic of the notice that a version has got further. */
const VERSION_CHANGED = 'version-changed'
/** What other instances do comes by notices; this is for those that got lost, and where there are none. */
const LOOK_EVERY_MS = 1_000
/** Notices come by the dozen; the database is asked once for all that came within this time. */
const GATHER_MS = 50

/**
 * Tells whoever watches a version how far its rendering is, whichever instance renders it. However many watch, the
 * database is asked once for all of them, and not at all for what this instance does itself.
 */
export class VersionChanges {
  readonly #versions: VersionsStore
  readonly #notices: Notices | undefined
  readonly #listeners = new Map<string, Set<ProgressListener>>()
  readonly #changed = new Set<string>()
  readonly #unsubscribe: (() => void) | undefined
  #gathering: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(versions: VersionsStore, notices: Notices | undefined) {
    this.#versions = versions
    this.#notices = notices
    this.#unsubscribe = notices?.subscribe(VERSION_CHANGED, (versionId) => {
      if (versionId === undefined) this.#lookSoon(this.#listeners.keys())
      else if (this.#listeners.has(versionId)) this.#lookSoon([versionId])
    })
  }

  /** Says that this instance has brought a version further, or found it deleted. */
  announce(versionId: string, progress: VersionProgress | undefined): void {
    this.#tell(versionId, progress)
    // One that does not arrive is made up for by looking.
    this.#notices?.publish(VERSION_CHANGED, versionId).catch(() => {})
  }

  /** @returns a function that ends it. */
  watch(versionId: string, listener: ProgressListener): () => void {
    const listeners = this.#listeners.get(versionId) ?? new Set()
    this.#listeners.set(versionId, listeners.add(listener))
    this.#looking ??= setInterval(() => this.#lookSoon(this.#listeners.keys()), LOOK_EVERY_MS).unref()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(versionId) === listeners) this.#listeners.delete(versionId)
      if (this.#listeners.size > 0) return
      clearInterval(this.#looking)
      this.#looking = undefined
    }
  }

  close(): void {
    this.#unsubscribe?.()
    clearInterval(this.#looking)
    clearTimeout(this.#gathering)
    this.#listeners.clear()
  }

  #lookSoon(versionIds: Iterable<string>): void {
    for (const versionId of versionIds) this.#changed.add(versionId)
    if (this.#changed.size > 0) this.#gathering ??= setTimeout(() => void this.#look(), GATHER_MS).unref()
  }

  async #look(): Promise<void> {
    const versionIds = [...this.#changed]
    this.#changed.clear()
    this.#gathering = undefined
    // Without a database nobody gets further; the next look comes soon.
    const found = await this.#versions.progressOf(versionIds).catch(() => undefined)
    if (found !== undefined) for (const versionId of versionIds) this.#tell(versionId, found.get(versionId))
  }

  #tell(versionId: string, progress: VersionProgress | undefined): void {
    for (const listener of [...(this.#listeners.get(versionId) ?? [])]) listener(progress)
  }
}
