import type { Notices } from '#platform/database/notices.ts'
import type { ReadableFile, ReadingStore } from '../storage/reading-store.ts'

/** How long an answer is given from memory at the most: what withdraws a publication may be another process. */
const LIFETIME_MS = 500
const MAX_ENTRIES = 10_000

/** Topic of the notice that a publication was withdrawn or deleted. */
const PUBLICATION_CHANGED = 'publication-changed'

type Entry = { file: ReadableFile; untilMs: number }

/**
 * Whose version an address is of, and whether it is open: known for a moment, so that images are delivered without
 * asking the database for each. Negative answers are never given from memory.
 */
export class DeliveredFiles {
  readonly #reading: ReadingStore
  readonly #notices: Notices | undefined
  readonly #now: () => number
  readonly #known = new Map<string, Entry>()
  readonly #asked = new Map<string, Promise<ReadableFile | undefined>>()
  readonly #unsubscribe: (() => void) | undefined
  #changes = 0

  constructor(reading: ReadingStore, notices: Notices | undefined, now: () => number) {
    this.#reading = reading
    this.#notices = notices
    this.#now = now
    this.#unsubscribe = notices?.subscribe(PUBLICATION_CHANGED, () => this.#forget())
  }

  /** What is known at the moment; undefined where somebody has to ask. */
  peek(versionId: string): ReadableFile | undefined {
    const entry = this.#known.get(versionId)
    return entry !== undefined && entry.untilMs > this.#now() ? entry.file : undefined
  }

  /** Asks the database, once for all who ask at the same moment. */
  async find(versionId: string): Promise<ReadableFile | undefined> {
    const asked = this.#asked.get(versionId)
    if (asked !== undefined) return await asked
    const asking = this.#ask(versionId)
    this.#asked.set(versionId, asking)
    try {
      return await asking
    } finally {
      if (this.#asked.get(versionId) === asking) this.#asked.delete(versionId)
    }
  }

  /**
   * To be called when a publication has been withdrawn or deleted: images of it are refused at once here, and as soon as
   * they hear of it by other instances.
   */
  async announceChange(publicationId: string): Promise<void> {
    this.#forget()
    // Without it others take half a second longer.
    await this.#notices?.publish(PUBLICATION_CHANGED, publicationId).catch(() => {})
  }

  close(): void {
    this.#unsubscribe?.()
  }

  /** All of it: changes are rare, and looking each up again costs one query. */
  #forget(): void {
    this.#changes++
    this.#known.clear()
    this.#asked.clear()
  }

  async #ask(versionId: string): Promise<ReadableFile | undefined> {
    const changesBefore = this.#changes
    const untilMs = this.#now() + LIFETIME_MS
    const file = await this.#reading.findByVersion(versionId)
    this.#known.delete(versionId)
    // What changed while the answer was under way may be what it speaks of.
    if (file === undefined || file.unpublishedAtMs !== null || changesBefore !== this.#changes) return file
    if (this.#known.size >= MAX_ENTRIES) this.#known.clear()
    this.#known.set(versionId, { file, untilMs })
    return file
  }
}
