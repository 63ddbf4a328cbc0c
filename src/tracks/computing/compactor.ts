import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from '#platform/logger.ts'
import { compactTrack, findUncompacted } from '../storage/compact-chunks.ts'
import type { TracksTables } from '../storage/tables.ts'
import type { PointsPool } from './points-pool.ts'

/** Chunks that have to gather before a track that is still recording is merged: half an hour of a phone's batches. */
export const MIN_UNCOMPACTED_CHUNKS = 64
/** A track without new points for this long is merged whatever it has. */
const QUIET_MS = 5 * 60_000
/** How often the database is searched for what no one announced: after a restart, or of another instance. */
const SEARCH_EVERY_MS = 60_000
const SEARCH_LIMIT = 200
/** Merging begins this much later, so that whoever has just finished a track gets its statistics first. */
const MERGE_AFTER_MS = 200
/** Giving back room keeps the writer from its callers for some milliseconds, so it is done once for all merging in this time. */
const MAINTAIN_AFTER_MS = 1000

type CompactorOptions = {
  db: Kysely<TracksTables>
  pool: PointsPool
  logger: Logger
  now: () => number
  /** Called a moment after merging, to give back the room. */
  onIdle: () => Promise<void>
}

/** Merges the small chunks of tracks in the background, one track after another. */
export class Compactor {
  readonly #options: CompactorOptions
  readonly #queue = new Set<string>()
  /** Tracks that could not be merged; trying them again before a restart would only fill the log. */
  readonly #given = new Set<string>()
  #working: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  constructor(options: CompactorOptions) {
    this.#options = options
  }

  get queueLength(): number {
    return this.#queue.size
  }

  /** Searches from now on, at once and then regularly. */
  start(): void {
    const search = () => void this.#search()
    this.#timer = setInterval(search, SEARCH_EVERY_MS).unref()
    search()
  }

  /** Merges a track soon. */
  add(trackId: string): void {
    if (this.#closed || this.#given.has(trackId)) return
    this.#queue.add(trackId)
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
    })
  }

  /** Resolves when nothing is left to merge. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  /** Ends after the track at hand. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    clearTimeout(this.#pause)
    this.#queue.clear()
    await this.#working
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  async #work(): Promise<void> {
    await wait(MERGE_AFTER_MS, undefined, { signal: this.#closing.signal }).catch(() => {})
    for (const trackId of this.#queue) {
      this.#queue.delete(trackId)
      await this.#merge(trackId)
    }
    if (!this.#closed) this.#pause ??= setTimeout(() => void this.#maintain(), MAINTAIN_AFTER_MS).unref()
  }

  async #maintain(): Promise<void> {
    const { onIdle, logger } = this.#options
    this.#pause = undefined
    await onIdle().catch((err) => {
      if (!this.#closed) logger.warn({ err }, 'maintenance failed')
    })
  }

  async #merge(trackId: string): Promise<void> {
    const { db, pool, logger } = this.#options
    try {
      await compactTrack(db, trackId, (chunks) => pool.merge({ chunks }))
    } catch (err) {
      if (this.#closed) return
      // A database that is away comes back, and the search finds the track again; a damaged chunk stays damaged.
      if ((err as Error).name === 'ChunkDamagedError') this.#given.add(trackId)
      logger.error({ err, trackId }, 'chunks could not be merged')
    }
  }

  async #search(): Promise<void> {
    const { db, now, logger } = this.#options
    try {
      for (const id of await findUncompacted(db, MIN_UNCOMPACTED_CHUNKS, now() - QUIET_MS, SEARCH_LIMIT)) this.add(id)
    } catch (err) {
      if (!this.#closed) logger.warn({ err }, 'search for chunks to merge failed')
    }
  }
}
