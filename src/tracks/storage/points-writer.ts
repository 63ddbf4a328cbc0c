import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { trackNotFound } from '../errors.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { chunkRows } from './chunks-store.ts'
import { type Placement, placePoints } from './place-points.ts'
import type { TrackRow, TracksTables } from './tables.ts'
import { isTrackId, nextUpdate } from './tracks-store.ts'

/** Most requests and most points that share one transaction, so that one group never holds the others up for long. */
const MAX_GROUP_REQUESTS = 256
const MAX_GROUP_POINTS = 200_000

/** A request whose points wait for the next transaction. */
type Waiting = {
  eventId: string
  trackId: string
  points: PointColumns
  resolve: (receipt: AppendReceipt) => void
  reject: (error: unknown) => void
}

/** What became of a request's points: those not added were known. */
export type AppendReceipt = { addedCount: number; looseChunks: number }

type LockedTrack = Pick<TrackRow, 'id' | 'event_id' | 'point_count' | 'last_point_ms' | 'loose_chunks' | 'updated_at'>

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
  readonly #options: PointsWriterOptions
  #waiting: Waiting[] = []
  #committing = false

  constructor(db: Kysely<TracksTables>, options: PointsWriterOptions) {
    this.#db = db
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
    if (!isTrackId(trackId)) return Promise.reject(trackNotFound())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ eventId, trackId, points, resolve, reject })
      if (!this.#committing) void this.#commitAll()
    })
  }

  async #commitAll(): Promise<void> {
    this.#committing = true
    while (this.#waiting.length > 0) {
      const group = takeGroup(this.#waiting)
      await this.#commit(group)
    }
    this.#committing = false
  }

  async #commit(group: Waiting[]): Promise<void> {
    const startMs = performance.now()
    try {
      const receipts = await inTransaction(this.#db, (transaction) =>
        appendGroup(transaction, group, this.#options.now()),
      )
      let added = 0
      for (const [i, receipt] of receipts.entries()) {
        if (receipt === undefined) group[i].reject(trackNotFound())
        else group[i].resolve(receipt)
        added += receipt?.addedCount ?? 0
      }
      this.#options.onCommit?.(group.length, added, performance.now() - startMs)
    } catch (error) {
      for (const request of group) request.reject(error)
    }
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

/** One transaction: lock the tracks, place the points, write the chunks, count. A receipt for each request, undefined for an unknown track. */
async function appendGroup(
  transaction: Transaction<TracksTables>,
  group: readonly Waiting[],
  nowMs: number,
): Promise<(AppendReceipt | undefined)[]> {
  const locked = await lockTracks(transaction, group)
  const placements = new Map<string, Placement>()
  const receipts: (AppendReceipt | undefined)[] = []
  for (const { eventId, trackId, points } of group) {
    const row = locked.get(trackId)
    if (row === undefined || row.event_id !== eventId) {
      receipts.push(undefined)
      continue
    }
    const before = placements.get(trackId) ?? {
      trackId,
      lastMs: row.last_point_ms,
      addedCount: 0,
      removed: [],
      fresh: [],
    }
    const after = await placePoints(transaction, before, points)
    placements.set(trackId, after)
    receipts.push({
      addedCount: after.addedCount - before.addedCount,
      looseChunks: row.loose_chunks + after.fresh.length,
    })
  }
  const changed = [...placements.values()].filter((placement) => placement.addedCount > 0)
  if (changed.length > 0) await writePlacements(transaction, changed, locked, nowMs)
  return receipts
}

/** Locks in the order of the ids, so that two groups that share tracks never wait for each other in a circle. */
async function lockTracks(
  transaction: Transaction<TracksTables>,
  group: readonly Waiting[],
): Promise<Map<string, LockedTrack>> {
  const ids = [...new Set(group.map(({ trackId }) => trackId))]
  const rows = await transaction
    .selectFrom('tracks')
    .select(['id', 'event_id', 'point_count', 'last_point_ms', 'loose_chunks', 'updated_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function writePlacements(
  transaction: Transaction<TracksTables>,
  placements: readonly Placement[],
  locked: Map<string, LockedTrack>,
  nowMs: number,
): Promise<void> {
  for (const { trackId, removed } of placements) {
    if (removed.length === 0) continue
    await transaction.deleteFrom('chunks').where('track_id', '=', trackId).where('first_ms', 'in', removed).execute()
  }
  const rows = placements.flatMap(({ trackId, fresh }) => fresh.flatMap((points) => chunkRows(trackId, points)))
  await transaction.insertInto('chunks').values(rows).execute()
  const changes = placements.map(({ trackId, addedCount, lastMs, fresh, removed }) => {
    const row = locked.get(trackId)!
    return sql`(cast(${trackId} as text), cast(${row.point_count + addedCount} as bigint), cast(${lastMs} as bigint),
      cast(${Math.max(0, row.loose_chunks + fresh.length - removed.length)} as bigint), cast(${nextUpdate(row, nowMs)} as bigint))`
  })
  await sql`
    with change (id, point_count, last_point_ms, loose_chunks, updated_at) as (values ${sql.join(changes)})
    update tracks set revision = tracks.revision + 1, point_count = change.point_count,
      last_point_ms = change.last_point_ms, loose_chunks = change.loose_chunks, updated_at = change.updated_at
    from change where tracks.id = change.id`.execute(transaction)
}
