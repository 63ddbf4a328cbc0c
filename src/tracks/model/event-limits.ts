import type { Kysely } from 'kysely'
import type { TracksTables } from './tables.ts'

/** Interval at which limits and counts are read. An event can exceed its limit of points for this long. */
const REFRESH_EVERY_MS = 5000
/** Counting the points of many tracks takes time of the database, so it rests this many times as long. */
const REST_PER_REFRESH = 50

type Options = { db: Kysely<TracksTables>; onFailure: (error: unknown) => void }

/**
 * Remembers which events have limits, and which of them are full, as of a few seconds ago. Storing points thus needs no
 * query for limits, and counting costs nothing where no event has a limit.
 */
export class EventLimits {
  readonly #options: Options
  #limited = new Set<string>()
  #full: ReadonlySet<string> = new Set()
  readonly #fullOfTracks = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Reads the limits now, then regularly. */
  start(): void {
    void this.#refreshRegularly()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #refreshRegularly(): Promise<void> {
    const startMs = performance.now()
    await this.refresh().catch(this.#options.onFailure)
    if (this.#isClosed) return
    const restMs = Math.max(REFRESH_EVERY_MS, (performance.now() - startMs) * REST_PER_REFRESH)
    this.#timer = setTimeout(() => void this.#refreshRegularly(), restMs).unref()
  }

  /** Tells whether the event has any limit. */
  has(eventId: string): boolean {
    return this.#limited.has(eventId)
  }

  /** Remembers that an event has a limit, which another instance has set since the latest refresh. */
  noteLimited(eventId: string): void {
    this.#limited.add(eventId)
  }

  /** Tells whether the event's limit of points is reached. */
  isFull(eventId: string): boolean {
    return this.#full.has(eventId)
  }

  /** Tells whether the limit of tracks was reached, as of the latest refresh or refusal. */
  isFullOfTracks(eventId: string): boolean {
    return this.#fullOfTracks.has(eventId)
  }

  /**
   * Remembers a refusal until the next refresh, so that a flood of requests does not count the tracks again and again.
   */
  noteFullOfTracks(eventId: string): void {
    this.#fullOfTracks.add(eventId)
  }

  /** Reads the limits now, after one was changed here. */
  async refresh(): Promise<void> {
    const { db } = this.#options
    const events = await db
      .selectFrom('events')
      .select(['id', 'max_points'])
      .where('deleted_at', 'is', null)
      .where((or) => or.or([or('max_tracks', 'is not', null), or('max_points', 'is not', null)]))
      .execute()
    this.#limited = new Set(events.map(({ id }) => id))
    this.#fullOfTracks.clear()
    const limits = new Map(events.flatMap(({ id, max_points }) => (max_points === null ? [] : [[id, max_points]])))
    this.#full = limits.size === 0 ? new Set() : await this.#findFull(limits)
  }

  async #findFull(limits: ReadonlyMap<string, number>): Promise<Set<string>> {
    const counts = await this.#options.db
      .selectFrom('tracks')
      .select(['event_id', (tracks) => tracks.fn.sum<number>('point_count').as('points')])
      .where('event_id', 'in', [...limits.keys()])
      .groupBy('event_id')
      .execute()
    const points = new Map(counts.map((count) => [count.event_id, Number(count.points)]))
    return new Set([...limits].filter(([id, limit]) => (points.get(id) ?? 0) >= limit).map(([id]) => id))
  }
}
