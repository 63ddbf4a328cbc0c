import type { Notices } from '#platform/database/notices.ts'
import type { VersionProgress, VersionsStore } from '../../storage/versions-store.ts'

/** Called with the progress of a version; undefined if it has been deleted or unpublished. */
type ProgressListener = (progress: VersionProgress | undefined) => void

/** Topic of the notice that a version has made progress. */
const VERSION_CHANGED = 'version-changed'
/** Progress of other instances arrives by notice; polling covers lost notices, and databases without them. */
const LOOK_EVERY_MS = 1_000
/** Notices arrive by the dozen; one query covers all that arrive within this time. */
const GATHER_MS = 50

/**
 * Reports the progress of rendering to the watchers of a version, whichever instance renders it. One query serves all
 * watchers, and progress of this instance needs none.
 */
export class VersionChanges {
  readonly #versions: Pick<VersionsStore, 'progressOf'>
  readonly #notices: Notices | undefined
  readonly #listeners = new Map<string, Set<ProgressListener>>()
  readonly #changed = new Set<string>()
  readonly #unsubscribe: (() => void) | undefined
  #gathering: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(versions: Pick<VersionsStore, 'progressOf'>, notices: Notices | undefined) {
    this.#versions = versions
    this.#notices = notices
    this.#unsubscribe = notices?.subscribe(VERSION_CHANGED, (versionId) => {
      if (versionId === undefined) this.#lookSoon(this.#listeners.keys())
      else if (this.#listeners.has(versionId)) this.#lookSoon([versionId])
    })
  }

  /** Announces the progress of a version on this instance; undefined if it was deleted or unpublished. */
  announce(versionId: string, progress: VersionProgress | undefined): void {
    this.#notify(versionId, progress)
    // Polling covers notices that do not arrive.
    this.#notices?.publish(VERSION_CHANGED, versionId).catch(() => {})
  }

  /** Calls the listener with every progress. @returns a function that stops it */
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
    // If the database is unavailable there is no progress; the next look follows soon.
    const found = await this.#versions.progressOf(versionIds).catch(() => undefined)
    if (found !== undefined) for (const versionId of versionIds) this.#notify(versionId, found.get(versionId))
  }

  #notify(versionId: string, progress: VersionProgress | undefined): void {
    for (const listener of [...(this.#listeners.get(versionId) ?? [])]) listener(progress)
  }
}
