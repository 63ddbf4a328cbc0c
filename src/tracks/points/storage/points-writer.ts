import { isUuid } from '#platform/basics/text.ts'
import type { Database } from '#platform/database/database.ts'
import { inSpan, isTracing } from '#platform/tracing/spans.ts'
import { trackNotFound } from '../../model/errors.ts'
import type { TracksTables } from '../../model/tables.ts'
import type { TrackScope } from '../../model/track-rows.ts'
import type { PointColumns } from '../point-columns.ts'
import {
  type AppendReceipt,
  type AppendRequest,
  type AppendTail,
  createAppendTail,
  createTrackShards,
  isIndexDue,
  partitionAppends,
  type TailAppend,
  type TrackEnd,
  TrackEndCache,
  type TrackShards,
  type WaitingAppend,
} from './append-tail.ts'
import type { PlanElsewhere } from './insert-late.ts'
import { LateAppends } from './late-appends.ts'
import { inCommitSpan } from './metrics.ts'

/** Most requests and points per transaction, so that one group never delays the others for long. */
const MAX_GROUP_REQUESTS = 256
const MAX_GROUP_POINTS = 200_000

/**
 * Concurrent transactions: while one is synced to disk, the next one is sent, so that the disk never waits for this
 * thread. More of them would be smaller, and each costs this thread and the database some time of its own.
 */
const MAX_TRANSACTIONS = 2

/** The same on several machines, where each transaction writes to one shard and waits mostly for the network. */
const MAX_SHARD_TRANSACTIONS = 8

/** Requests from which a transaction starts without waiting for the end of the turn of the event loop. */
const MIN_REQUESTS_TO_START = 32

/** A request that waits for the next transaction. `shard` is its track's; 0 on one machine. */
type Waiting = WaitingAppend & { shard: number }

type PointsWriterOptions = {
  now: () => number
  /** Plans late points that would hold up this thread. */
  planElsewhere: PlanElsewhere
  /** Called after each transaction with its requests, its new points and its duration. */
  onCommit?: (requests: number, addedPoints: number, durationMs: number) => void
  /** Called with points that have become the end of their track. */
  onAppended?: (trackId: string, points: PointColumns) => void
}

/**
 * Stores points. Requests that arrive during a transaction wait for the next one and share it, and with it one sync to
 * disk: this makes many small batches cheap. Once `append` resolves, the points are on disk.
 */
export class PointsWriter {
  readonly #ends: TrackEndCache
  readonly #appendTail: AppendTail
  readonly #late: LateAppends
  readonly #options: PointsWriterOptions
  readonly #shardOf: TrackShards | undefined
  readonly #maxTransactions: number
  #waiting: Waiting[] = []
  /** Tracks with a transaction under way, and the requests that wait for its end. */
  readonly #held = new Map<string, Waiting[]>()
  #isStarting = false
  #transactions = 0
  /** Number of requests in transactions under way. */
  #underWay = 0

  constructor(database: Database<TracksTables>, options: PointsWriterOptions) {
    this.#ends = new TrackEndCache(database.db)
    this.#appendTail = createAppendTail(database)
    this.#late = new LateAppends({
      db: database.db,
      now: options.now,
      planElsewhere: options.planElsewhere,
      onCommit: (...commit) => options.onCommit?.(...commit),
    })
    this.#options = options
    this.#shardOf = createTrackShards(database)
    this.#maxTransactions = this.#shardOf === undefined ? MAX_TRANSACTIONS : MAX_SHARD_TRANSACTIONS
  }

  /** Number of requests that wait for a transaction. */
  get queueLength(): number {
    const held = this.#held.values().reduce((sum, { length }) => sum + length, 0)
    return this.#waiting.length + held + this.#late.queueLength
  }

  /**
   * Adds the points that are not stored yet; `points` has at least one and is in canonical order.
   * @throws trackNotFound; unavailable if the database cannot store them, and then none is stored.
   */
  append(scope: TrackScope, trackId: string, points: PointColumns): Promise<AppendReceipt> {
    if (!isUuid(trackId)) return Promise.reject(trackNotFound())
    const request = { scope, trackId, points }
    if (!isTracing()) return this.#enqueue(request)
    const attributes = { 'trackpress.points': points.count }
    return inSpan('append points', { attributes }, (span) => this.#enqueue(request, span))
  }

  /** Reads the end of a track again for its next batch, after its chunks have changed. */
  forgetEnd(trackId: string): void {
    this.#ends.forget(trackId)
  }

  /** Lets a request wait for the next transaction, or for the end of the one that its track is part of. */
  async #enqueue(request: AppendRequest, span?: WaitingAppend['span']): Promise<AppendReceipt> {
    const shard = this.#shardOf === undefined ? 0 : await this.#shardOf(request.trackId)
    const { promise, resolve, reject } = Promise.withResolvers<AppendReceipt>()
    const waiting = { ...request, addedCount: 0, span, resolve, reject, shard }
    const held = this.#held.get(request.trackId)
    if (held !== undefined) held.push(waiting)
    else {
      this.#waiting.push(waiting)
      this.#startSoon()
    }
    return await promise
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
    if (this.#transactions < this.#maxTransactions && this.#isEnough(this.#waiting.length)) void this.#commitNext()
  }

  /**
   * Tells whether so many requests start a transaction. Beside another one they have to be as many as it has, so that
   * the two share the requests of all connections about equally. Otherwise the first of the requests that follow its
   * answers would be alone in one. On several machines, the other one is mostly elsewhere.
   */
  #isEnough(waiting: number): boolean {
    if (this.#transactions === 0 || this.#shardOf !== undefined) return waiting > 0
    return waiting >= Math.min(MIN_REQUESTS_TO_START, this.#underWay)
  }

  async #commitNext(): Promise<void> {
    const group = this.#shardOf === undefined ? takeGroup(this.#waiting) : this.#takeShardGroup()
    this.#transactions++
    this.#underWay += group.length
    this.#hold(group)
    this.#startSoon()
    try {
      await inCommitSpan(group, () => this.#commit(group))
    } catch (error) {
      for (const request of group) request.reject(error)
    }
    this.#transactions--
    this.#underWay -= group.length
    this.#release(group)
    this.#startSoon()
  }

  /**
   * Lets the other requests for these tracks wait for this transaction and then share one, because PostgreSQL would let
   * each of their transactions wait for the lock on the row of the track.
   */
  #hold(group: readonly Waiting[]): void {
    for (const { trackId } of group) this.#held.set(trackId, [])
    if (this.#waiting.length === 0) return
    const others: Waiting[] = []
    for (const request of this.#waiting) (this.#held.get(request.trackId) ?? others).push(request)
    this.#waiting = others
  }

  #release(group: readonly Waiting[]): void {
    for (const { trackId } of group) {
      this.#waiting.push(...(this.#held.get(trackId) ?? []))
      this.#held.delete(trackId)
    }
  }

  /**
   * Takes a group for the shard of the first request: a transaction on several machines would need a two-phase commit.
   */
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
    for (const request of overlapping) this.#addLate(request)
    if (tail.length > 0) await this.#commitTail(tail)
  }

  #addLate(request: WaitingAppend): void {
    this.#ends.forget(request.trackId)
    this.#late.add(request)
  }

  async #commitTail(tail: readonly TailAppend<Waiting>[]): Promise<void> {
    const startMs = performance.now()
    const nowMs = this.#options.now()
    const appended = await this.#appendTail(tail, nowMs)
    let requestCount = 0
    let added = 0
    for (const [i, { end, requests }] of tail.entries()) {
      if (!appended[i]) {
        for (const request of requests) this.#addLate(request)
        continue
      }
      added += this.#acknowledge(end, requests, nowMs)
      requestCount += requests.length
    }
    if (requestCount > 0) this.#options.onCommit?.(requestCount, added, performance.now() - startMs)
  }

  /** Resolves the requests of a track, in time order. Returns the number of their points. */
  #acknowledge(end: TrackEnd, requests: readonly Waiting[], nowMs: number): number {
    let added = 0
    for (const { points, resolve } of requests) {
      resolve({ addedCount: points.count, uncompactedChunks: end.loose_chunks + 1 })
      added += points.count
    }
    const { points: last } = requests[requests.length - 1]
    this.#options.onAppended?.(end.id, last)
    if (isIndexDue(end, nowMs)) this.#ends.forget(end.id)
    else this.#ends.appended(end, last.timeMs[last.count - 1], added)
    return added
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
