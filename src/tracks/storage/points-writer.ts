import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import { isUuid } from '#platform/ids/uuid.ts'
import { trackNotFound } from '../errors.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { type AppendTail, createAppendTail } from './append-tail.ts'
import { type AppendReceipt, type AppendRequest, insertOverlapping } from './insert-overlapping.ts'
import { partitionAppends, type TailAppend } from './partition-appends.ts'
import type { TracksTables } from './tables.ts'
import { TrackEndCache } from './track-end-cache.ts'

/** Most requests and most points that share one transaction, so that one group never holds the others up for long. */
const MAX_GROUP_REQUESTS = 256
const MAX_GROUP_POINTS = 200_000

/**
 * Transactions under way at once: while one is synced to disk the next ones are on their way, so that the disk never
 * waits for this thread. SQLite carries them out one by one and makes those that wait share a sync.
 */
const MAX_UNDER_WAY = 4

/** Requests for which a transaction is started without waiting for more; measured 8 % faster than not to, in small batches. */
const MIN_REQUESTS_TO_START = 8

/** A request whose points wait for the next transaction. */
type Waiting = AppendRequest & { resolve(receipt: AppendReceipt): void; reject(error: unknown): void }

type PointsWriterOptions = {
  now: () => number
  /** Told after each transaction: its requests, its new points and the time it took. */
  onCommit?: (requests: number, addedPoints: number, durationMs: number) => void
}

/**
 * Stores points. Requests that arrive while a transaction is under way wait together for the next one and share it,
 * and with it the one sync to disk: that is what makes many small batches cheap. When `append` has resolved, the points
 * are on disk.
 */
export class PointsWriter {
  readonly #db: Kysely<TracksTables>
  readonly #ends: TrackEndCache
  readonly #appendTail: AppendTail
  readonly #options: PointsWriterOptions
  #waiting: Waiting[] = []
  #isStarting = false
  #underWay = 0

  constructor(database: Database<TracksTables>, options: PointsWriterOptions) {
    this.#db = database.db
    this.#ends = new TrackEndCache(database.db)
    this.#appendTail = createAppendTail(database)
    this.#options = options
  }

  /** Requests that wait for a transaction. */
  get queueLength(): number {
    return this.#waiting.length
  }

  /**
   * Adds the points, in canonical order and at least one, that are not yet known.
   * @throws trackNotFound; unavailable where the database cannot take them, and then none of them is stored.
   */
  append(eventId: string, trackId: string, points: PointColumns): Promise<AppendReceipt> {
    if (!isUuid(trackId)) return Promise.reject(trackNotFound())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ eventId, trackId, points, resolve, reject })
      this.#startSoon()
    })
  }

  /**
   * What arrives in the same turn of the event loop is to share a transaction, so one is not started at once, unless so
   * many requests wait that it pays to have the database begin while the others are still being read.
   */
  #startSoon(): void {
    if (this.#waiting.length >= MIN_REQUESTS_TO_START) this.#start()
    if (this.#isStarting || this.#waiting.length === 0) return
    this.#isStarting = true
    setImmediate(() => {
      this.#isStarting = false
      this.#start()
    })
  }

  #start(): void {
    if (this.#underWay < MAX_UNDER_WAY && this.#waiting.length > 0) void this.#commitNext()
  }

  async #commitNext(): Promise<void> {
    const group = takeGroup(this.#waiting)
    this.#underWay++
    this.#startSoon()
    try {
      await this.#commit(group)
    } catch (error) {
      for (const request of group) request.reject(error)
    }
    this.#underWay--
    this.#startSoon()
  }

  async #commit(group: Waiting[]): Promise<void> {
    const ends = await this.#ends.find(new Set(group.map(({ trackId }) => trackId)))
    const { unknown, latest, others } = partitionAppends(group, ends)
    for (const request of unknown) request.reject(trackNotFound())
    if (latest.length > 0 && !(await this.#commitTail(latest)))
      others.push(...latest.flatMap(({ requests }) => requests))
    if (others.length > 0) await this.#commitOverlapping(others)
  }

  /** A request that fails for a reason of its own, such as a damaged chunk in its track, must not fail the others. */
  async #commitOverlapping(others: readonly Waiting[]): Promise<void> {
    try {
      await this.#commitTogether(others)
    } catch (error) {
      if (others.length === 1 || isDatabaseUnavailable(error)) throw error
      for (const request of others) await this.#commitTogether([request]).catch(request.reject)
    }
  }

  async #commitTail(latest: readonly TailAppend<Waiting>[]): Promise<boolean> {
    const startMs = performance.now()
    if (!(await this.#appendTail(latest, this.#options.now()))) return false
    for (const { end, requests } of latest) {
      const { points } = requests[requests.length - 1]
      this.#ends.appended(end, points.timeMs[points.count - 1])
    }
    const receipts = latest.flatMap(({ end, requests }) =>
      requests.map(({ points }) => ({ addedCount: points.count, uncompactedChunks: end.loose_chunks + 1 })),
    )
    this.#acknowledge(
      latest.flatMap(({ requests }) => requests),
      receipts,
      startMs,
    )
    return true
  }

  async #commitTogether(others: readonly Waiting[]): Promise<void> {
    const startMs = performance.now()
    for (const { trackId } of others) this.#ends.forget(trackId)
    this.#acknowledge(others, await insertOverlapping(this.#db, others, this.#options.now()), startMs)
  }

  #acknowledge(requests: readonly Waiting[], receipts: readonly (AppendReceipt | undefined)[], startMs: number): void {
    let added = 0
    for (const [i, receipt] of receipts.entries()) {
      if (receipt === undefined) requests[i].reject(trackNotFound())
      else requests[i].resolve(receipt)
      added += receipt?.addedCount ?? 0
    }
    this.#options.onCommit?.(requests.length, added, performance.now() - startMs)
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let points = 0
  let count = 0
  while (count < waiting.length && count < MAX_GROUP_REQUESTS && points < MAX_GROUP_POINTS) {
    points += waiting[count].points.count
    count++
  }
  return waiting.splice(0, count)
}
