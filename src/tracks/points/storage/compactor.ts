import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import type { TracksTables } from '../../model/tables.ts'
import type { EncodedChunk } from '../chunks/chunk-codec.ts'
import type { ComputeScheduler } from '../turns.ts'
import { compactTrack, findUncompacted, unmarkCompacted } from './compact-track.ts'

/**
 * Uncompacted chunks from which a track that is still recording is compacted: an hour of a phone's batches. The cost of
 * compacting for the main thread hardly depends on their number, and reading them all takes 1 ms.
 */
export const MIN_UNCOMPACTED_CHUNKS = 128
/** A track without new points for this long is compacted in any case. */
const QUIET_MS = 5 * 60_000
/** A compacted track without new points for this long is no longer searched. */
const SEARCHED_MS = 20 * 60_000
const SEARCH_LIMIT = 200
/** Further tracks are dropped. The search finds them later. */
const MAX_WAITING = 10_000
/** Compaction starts this much later, so that the client that has just finished a track gets its statistics first. */
const COMPACT_AFTER_MS = 200
/** Freeing space blocks the writer for some milliseconds, so it is done once for all compactions in this time. */
const MAINTAIN_AFTER_MS = 1000

type CompactorOptions = {
  db: Kysely<TracksTables>
  pool: { merge(task: { chunks: Uint8Array[] }): Promise<EncodedChunk[]> }
  turns: ComputeScheduler
  logger: Logger
  now: () => number
  /**
   * Called after chunks of a track were compacted. Its next batches would otherwise go on to announce their number as
   * it was before, and each of them would have the track compacted again.
   */
  onCompacted: (trackId: string) => void
  /** Called a moment after compaction, to free space. */
  onIdle: () => Promise<void>
}

/** Compacts the small chunks of tracks in the background, one track at a time. */
export class Compactor {
  readonly #options: CompactorOptions
  readonly #queue = new Set<string>()
  /** First times of the damaged chunks of tracks. Trying them again before a restart would only fill the log. */
  readonly #damaged = new Map<string, Set<number>>()
  #working: Promise<void> | undefined
  #maintenance: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  constructor(options: CompactorOptions) {
    this.#options = options
  }

  get queueLength(): number {
    return this.#queue.size
  }

  /** Queues a track. */
  add(trackId: string): void {
    if (this.#closed || this.#queue.size >= MAX_WAITING) return
    this.#queue.add(trackId)
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
    })
  }

  /** Resolves when the queue is empty. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  /** Stops after the current track. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#maintenance)
    this.#queue.clear()
    await this.#working
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  async #work(): Promise<void> {
    await wait(COMPACT_AFTER_MS, undefined, { signal: this.#closing.signal }).catch(() => {})
    for (const trackId of this.#queue) {
      this.#queue.delete(trackId)
      await this.#compact(trackId)
    }
    if (!this.#closed) this.#maintenance ??= setTimeout(() => void this.#maintain(), MAINTAIN_AFTER_MS).unref()
  }

  async #maintain(): Promise<void> {
    const { onIdle, logger } = this.#options
    this.#maintenance = undefined
    await onIdle().catch((err) => {
      if (!this.#closed) logger.warn({ err }, 'database maintenance failed')
    })
  }

  async #compact(trackId: string): Promise<void> {
    const { db, pool, turns, logger, onCompacted } = this.#options
    const damaged = new Set(this.#damaged.get(trackId))
    const knownDamaged = damaged.size
    try {
      const merge = (chunks: Uint8Array[]) => turns.take('maintenance', () => pool.merge({ chunks }))
      const replaced = await compactTrack(db, trackId, merge, damaged)
      if (replaced > 0) onCompacted(trackId)
    } catch (err) {
      if (this.#closed) return
      // The search finds the track again.
      logger.error({ err, trackId }, 'compacting a track failed')
    }
    if (damaged.size === knownDamaged) return
    this.#damaged.set(trackId, damaged)
    logger.error({ trackId, firstTimesMs: [...damaged] }, 'chunks of a track are damaged; the others were compacted')
  }

  /** Queues tracks that were not announced: after a restart, or by another instance. */
  async search(): Promise<void> {
    const { db, now } = this.#options
    for (const id of await findUncompacted(db, MIN_UNCOMPACTED_CHUNKS, now() - QUIET_MS, SEARCH_LIMIT)) this.add(id)
    await unmarkCompacted(db, now() - SEARCHED_MS)
  }
}
