import pLimit from 'p-limit'
import { unavailable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import { timestampFull, trackNotFound } from '../../model/errors.ts'
import { isInScope } from '../../model/track-rows.ts'
import type { AppendPlan, AppendTask } from '../chunks/chunk-plan.ts'
import type { WaitingAppend } from './append-tail.ts'
import { insertLate, type LateWork } from './insert-late.ts'
import { inCommitSpan } from './metrics.ts'

/** Database work at once; the rest of the connections is for phones whose points are the latest of their track. */
const MAX_AT_ONCE = 4

/** Points of one track that are stored together. */
const MAX_GROUP_POINTS = 20_000

/** Waiting points take about 73 bytes each in memory. One event may fill half of the queue. */
const MAX_WAITING_POINTS = 2_000_000
const MAX_WAITING_OF_EVENT = MAX_WAITING_POINTS / 2

/** Advice to clients that the full queue refuses; the queue needs about as long. */
const RETRY_AFTER_SEC = 10

type LateOptions = Omit<LateWork, 'inTurn'> & {
  /** Called after the requests of a track were stored. */
  onCommit(requests: number, addedPoints: number, durationMs: number): void
}

/**
 * Stores points that are not the latest of their track. Requests for one track wait for each other and are then stored
 * together, so a chunk that many requests change is rewritten once for all of them. Tracks do not wait for each other.
 */
export class LateAppends {
  readonly #options: LateOptions
  readonly #deps: LateWork
  /** Waiting requests by track. A track is in the map while its requests are stored. */
  readonly #tracks = new Map<string, WaitingAppend[]>()
  readonly #pointsOfEvent = new Map<string, number>()
  #points = 0

  constructor(options: LateOptions) {
    this.#options = options
    this.#deps = { ...options, inTurn: pLimit(MAX_AT_ONCE) }
  }

  /** Number of requests that are not stored yet. */
  get queueLength(): number {
    return this.#tracks.values().reduce((sum, { length }) => sum + length, 0)
  }

  /** Queues a request, or rejects it with UNAVAILABLE if too many points wait. */
  add(request: WaitingAppend): void {
    const { trackId, points } = request
    const { eventId } = request.scope
    const ofEvent = this.#pointsOfEvent.get(eventId) ?? 0
    if (this.#points >= MAX_WAITING_POINTS || ofEvent >= MAX_WAITING_OF_EVENT) {
      request.reject(unavailable({ detail: 'Too many late points wait to be stored.', retryAfterSec: RETRY_AFTER_SEC }))
      return
    }
    this.#points += points.count
    this.#pointsOfEvent.set(eventId, ofEvent + points.count)
    const waiting = this.#tracks.get(trackId)
    if (waiting !== undefined) waiting.push(request)
    else void this.#storeTrack(trackId, [request])
  }

  async #storeTrack(trackId: string, waiting: WaitingAppend[]): Promise<void> {
    this.#tracks.set(trackId, waiting)
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      await this.#storeGroup(trackId, group)
      for (const request of group) this.#leave(request)
    }
    this.#tracks.delete(trackId)
  }

  #leave({ scope: { eventId }, points }: WaitingAppend): void {
    this.#points -= points.count
    const left = this.#pointsOfEvent.get(eventId)! - points.count
    if (left > 0) this.#pointsOfEvent.set(eventId, left)
    else this.#pointsOfEvent.delete(eventId)
  }

  /** One failing request, such as one that touches a damaged chunk, must not fail the others. */
  async #storeGroup(trackId: string, group: readonly WaitingAppend[]): Promise<void> {
    try {
      await this.#store(trackId, group)
    } catch (error) {
      if (group.length > 1 && !isDatabaseUnavailable(error)) {
        for (const request of group) await this.#storeGroup(trackId, [request])
        return
      }
      for (const request of group) request.reject(error)
    }
  }

  async #store(trackId: string, waiting: readonly WaitingAppend[]): Promise<void> {
    const group = await this.#refuseOthers(trackId, waiting)
    if (group.length === 0) return
    const startMs = performance.now()
    const batches = group.map(({ points }) => points)
    let added = 0
    const { refused, uncompactedChunks } = await inCommitSpan(group, () =>
      insertLate(this.#deps, trackId, batches, (index, addedCount) => {
        group[index].addedCount += addedCount
        added += addedCount
      }),
    )
    for (const [index, request] of group.entries()) {
      if (refused.has(index)) request.reject(timestampFull())
      else request.resolve({ addedCount: request.addedCount, uncompactedChunks })
    }
    this.#options.onCommit(group.length, added, performance.now() - startMs)
  }

  /**
   * Refuses the requests that are limited to the tracks of a person, if the track is no longer theirs. Returns the
   * others.
   */
  async #refuseOthers(trackId: string, group: readonly WaitingAppend[]): Promise<readonly WaitingAppend[]> {
    if (group.every(({ scope }) => scope.userId === null)) return group
    const track = await this.#deps.db
      .selectFrom('tracks')
      .select(['event_id', 'user_id'])
      .where('id', '=', trackId)
      .executeTakeFirst()
    const isAllowed = ({ scope }: WaitingAppend) => track !== undefined && isInScope(track, scope)
    for (const request of group) if (!isAllowed(request)) request.reject(trackNotFound())
    return group.filter(isAllowed)
  }
}

function takeGroup(waiting: WaitingAppend[]): WaitingAppend[] {
  let points = 0
  let count = 0
  while (count < waiting.length && (count === 0 || points + waiting[count].points.count <= MAX_GROUP_POINTS)) {
    points += waiting[count].points.count
    count++
  }
  return waiting.splice(0, count)
}

/** Threads end after this time without late points, which are rare. */
const IDLE_MS = 30_000

/** Worker threads for late points. They have their own, so that phones never wait for spectators' computations. */
export function createAppendPool() {
  const pool = threadPool<AppendTask, AppendPlan>(new URL('./append-worker.ts', import.meta.url), {
    run: 'runAppend',
    maxThreads: 2,
    idleMs: IDLE_MS,
  })
  return {
    /** @throws ChunkDamagedError */
    plan: (task: AppendTask) => pool.run(task),
    close: pool.close,
  }
}
