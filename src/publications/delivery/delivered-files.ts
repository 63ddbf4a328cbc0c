import { type Notices, NotifiedCache } from '#platform/database/notices.ts'
import type { FilesStore, VersionFile } from '../model/files-store.ts'

/** An answer is given from memory for at most this long: a notice that another process unpublished may be missed. */
const LIFETIME_MS = 500
const MAX_ENTRIES = 10_000

/** Topic of the notice that a publication was unpublished or deleted, or that its access changed. */
const PUBLICATION_CHANGED = 'publication-changed'

/**
 * Files of published versions by version, kept for a moment so that images are delivered without a query each. A file
 * that nobody may read is never answered from memory.
 */
export class DeliveredFiles {
  readonly #files: NotifiedCache<VersionFile>

  constructor(files: FilesStore, notices: Notices | undefined, now: () => number) {
    this.#files = new NotifiedCache({
      find: (versionId) => files.findForReaders(versionId),
      isKept: ({ rules }) => rules.unpublished_at === null,
      topic: PUBLICATION_CHANGED,
      notices,
      nowMs: now,
      lifetimeMs: LIFETIME_MS,
      maxEntries: MAX_ENTRIES,
    })
  }

  /** Returns the file in memory; undefined where the database has to be asked. */
  peek(versionId: string): VersionFile | undefined {
    return this.#files.peek(versionId)
  }

  /** Asks the database, once for all requests at the same time. */
  find(versionId: string): Promise<VersionFile | undefined> {
    return this.#files.refresh(versionId)
  }

  /**
   * Announces that a publication was unpublished or deleted, or that its access changed: this instance refuses its
   * images at once, the others as soon as the notice arrives.
   */
  async announceChange(publicationId: string): Promise<void> {
    // Without the notice, others take half a second longer.
    await this.#files.announceChange(publicationId).catch(() => {})
  }

  close(): void {
    this.#files.close()
  }
}
