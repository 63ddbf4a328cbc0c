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
import { createTrackShards, type TrackShards } from './track-shards.ts'

/** Most requests and points per transaction, so that one group never delays the others for long. */
const MAX_GROUP_REQUESTS = 256
const MAX_GROUP_POINTS = 200_000

/**
 * Concurrent transactions: while one is synced to disk the next ones are sent, so that the disk never waits for this
 * thread. SQLite runs them one at a time and lets those that wait share a sync.
 */
const MAX_TRANSACTIONS = 4

/** The same on several machines, where each transaction writes to one shard and waits mostly for the network. */
const MAX_SHARD_TRANSACTIONS = 8

/** Requests from which a transaction starts without waiting for more; measured 8 % faster in small batches. */
const MIN_REQUESTS_TO_START = 8

/** A request that waits for the next transaction. */
type Waiting = AppendRequest & {
  resolve(receipt: AppendReceipt): void
  reject(error: unknown): void
  /** The shard of the track; 0 on one machine. */
  shard: number
}

type PointsWriterOptions = {
  now: () => number
  /** Called after each transaction with its requests, its new points and its duration. */
  onCommit?: (requests: number, addedPoints: number, durationMs: number) => void
}

/**
 * Stores points. Requests that arrive during a transaction wait for the next one and share it, and with it one sync to
 * disk: this makes many small batches cheap. Once `append` resolves, the points are on disk.
 */
export class PointsWriter {
  readonly #db: Kysely<TracksTables>
  readonly #ends: TrackEndCache
  readonly #appendTail: AppendTail
  readonly #options: PointsWriterOptions
  readonly #shardOf: TrackShards | undefined
  readonly #maxTransactions: number
  #waiting: Waiting[] = []
  #isStarting = false
  #transactions = 0

  constructor(database: Database<TracksTables>, options: PointsWriterOptions) {
    this.#db = database.db
    this.#ends = new TrackEndCache(database.db)
    this.#appendTail = createAppendTail(database)
    this.#options = options
    this.#shardOf = createTrackShards(database)
    this.#maxTransactions = this.#shardOf === undefined ? MAX_TRANSACTIONS : MAX_SHARD_TRANSACTIONS
  }

  /** Number of requests that wait for a transaction. */
  get queueLength(): number {
    return this.#waiting.length
  }

  /**
   * Adds the points that are not stored yet; `points` has at least one and is in canonical order.
   * @throws trackNotFound; unavailable if the database cannot store them, and then none is stored.
   */
  append(eventId: string, trackId: string, points: PointColumns): Promise<AppendReceipt> {
    if (!isUuid(trackId)) return Promise.reject(trackNotFound())
    if (this.#shardOf === undefined) return this.#enqueue({ eventId, trackId, points }, 0)
    return this.#shardOf(trackId).then((shard) => this.#enqueue({ eventId, trackId, points }, shard))
  }

  #enqueue({ eventId, trackId, points }: AppendRequest, shard: number): Promise<AppendReceipt> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ eventId, trackId, points, resolve, reject, shard })
      this.#startSoon()
    })
  }

  /**
   * Requests that arrive in the same turn of the event loop share a transaction, so none is started at once, unless so
   * many wait that the database had better begin while the others are still being read.
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
    if (this.#transactions < this.#maxTransactions && this.#waiting.length > 0) void this.#commitNext()
  }

  async #commitNext(): Promise<void> {
    const group = this.#shardOf === undefined ? takeGroup(this.#waiting) : this.#takeShardGroup()
    this.#transactions++
    this.#startSoon()
    try {
      await this.#commit(group)
    } catch (error) {
      for (const request of group) request.reject(error)
    }
    this.#transactions--
    this.#startSoon()
  }

  /** Takes a group for the shard of the first request: a transaction on several machines would need a two-phase commit. */
  #takeShardGroup(): Waiting[] {
    const { shard } = this.#waiting[0]
    const ofShard: Waiting[] = []
    const others: Waiting[] = []
    for (const request of this.#waiting) (request.shard === shard ? ofShard : others).push(request)
    const group = takeGroup(ofShard)
    this.#waiting = [...ofShard, ...others]
    return group
  }

  async #commit(group: Waiting[]): Promise<void> {
    const ends = await this.#ends.find(new Set(group.map(({ trackId }) => trackId)))
    const { unknown, tail, overlapping } = partitionAppends(group, ends)
    for (const request of unknown) request.reject(trackNotFound())
    if (tail.length > 0 && !(await this.#commitTail(tail)))
      overlapping.push(...tail.flatMap(({ requests }) => requests))
    if (overlapping.length > 0) await this.#commitOverlapping(overlapping)
  }

  /** One failing request, such as one whose track has a damaged chunk, must not fail the others. */
  async #commitOverlapping(overlapping: readonly Waiting[]): Promise<void> {
    try {
      await this.#commitTogether(overlapping)
    } catch (error) {
      if (overlapping.length === 1 || isDatabaseUnavailable(error)) throw error
      for (const request of overlapping) await this.#commitTogether([request]).catch(request.reject)
    }
  }

  async #commitTail(tail: readonly TailAppend<Waiting>[]): Promise<boolean> {
    const startMs = performance.now()
    if (!(await this.#appendTail(tail, this.#options.now()))) return false
    for (const { end, requests } of tail) {
      const { points } = requests[requests.length - 1]
      this.#ends.appended(end, points.timeMs[points.count - 1])
    }
    const receipts = tail.flatMap(({ end, requests }) =>
      requests.map(({ points }) => ({ addedCount: points.count, uncompactedChunks: end.loose_chunks + 1 })),
    )
    this.#acknowledge(
      tail.flatMap(({ requests }) => requests),
      receipts,
      startMs,
    )
    return true
  }

  async #commitTogether(requests: readonly Waiting[]): Promise<void> {
    const startMs = performance.now()
    for (const { trackId } of requests) this.#ends.forget(trackId)
    this.#acknowledge(requests, await insertOverlapping(this.#db, requests, this.#options.now()), startMs)
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
