import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { chunkRows } from './chunks-store.ts'
import { type InsertPlan, planInsert } from './plan-insert.ts'
import type { TrackRow, TracksTables } from './tables.ts'
import { nextUpdate } from './tracks-store.ts'

/** The points of one request, at least one and in canonical order, and their track. */
export type AppendRequest = { eventId: string; trackId: string; points: PointColumns }

/** The result of an append. Points that were not added were stored before. */
export type AppendReceipt = { addedCount: number; uncompactedChunks: number }

type LockedTrack = Pick<TrackRow, 'id' | 'event_id' | 'point_count' | 'last_point_ms' | 'loose_chunks' | 'updated_at'>

/**
 * Stores points anywhere in their tracks: locks the tracks, tells stored points from new ones, writes chunks and counts.
 * Returns a receipt for each request, undefined for an unknown track. All it decides on is read under the locks, which
 * every change of a track's chunks takes.
 */
export async function insertOverlapping(
  db: Kysely<TracksTables>,
  requests: readonly AppendRequest[],
  nowMs: number,
): Promise<(AppendReceipt | undefined)[]> {
  return await inTransaction(db, (transaction) => appendAll(transaction, requests, nowMs))
}

async function appendAll(
  transaction: Transaction<TracksTables>,
  requests: readonly AppendRequest[],
  nowMs: number,
): Promise<(AppendReceipt | undefined)[]> {
  const locked = await lockTracks(transaction, requests)
  const plans = new Map<string, InsertPlan>()
  const receipts: (AppendReceipt | undefined)[] = []
  for (const { eventId, trackId, points } of requests) {
    const row = locked.get(trackId)
    if (row === undefined || row.event_id !== eventId) {
      receipts.push(undefined)
      continue
    }
    const before = plans.get(trackId) ?? {
      trackId,
      lastMs: row.last_point_ms,
      addedCount: 0,
      removed: [],
      fresh: [],
    }
    const after = await planInsert(transaction, before, points)
    plans.set(trackId, after)
    receipts.push({
      addedCount: after.addedCount - before.addedCount,
      uncompactedChunks: row.loose_chunks + after.fresh.length,
    })
  }
  const changed = [...plans.values()].filter((placement) => placement.addedCount > 0)
  if (changed.length > 0) await writePlans(transaction, changed, locked, nowMs)
  return receipts
}

/** Locks tracks in the order of their ids, so that two groups with tracks in common never deadlock. */
async function lockTracks(
  transaction: Transaction<TracksTables>,
  requests: readonly AppendRequest[],
): Promise<Map<string, LockedTrack>> {
  const ids = [...new Set(requests.map(({ trackId }) => trackId))]
  const rows = await transaction
    .selectFrom('tracks')
    .select(['id', 'event_id', 'point_count', 'last_point_ms', 'loose_chunks', 'updated_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function writePlans(
  transaction: Transaction<TracksTables>,
  plans: readonly InsertPlan[],
  locked: Map<string, LockedTrack>,
  nowMs: number,
): Promise<void> {
  for (const { trackId, removed } of plans) {
    if (removed.length === 0) continue
    await transaction.deleteFrom('chunks').where('track_id', '=', trackId).where('first_ms', 'in', removed).execute()
  }
  const rows = plans.flatMap(({ trackId, fresh }) => fresh.flatMap((points) => chunkRows(trackId, points)))
  await transaction.insertInto('chunks').values(rows).execute()
  const changes = plans.map(({ trackId, addedCount, lastMs, fresh, removed }) => {
    const row = locked.get(trackId)!
    return sql`(cast(${trackId} as text), cast(${row.point_count + addedCount} as bigint), cast(${lastMs} as bigint),
      cast(${Math.max(0, row.loose_chunks + fresh.length - removed.length)} as bigint), cast(${nextUpdate(row, nowMs)} as bigint))`
  })
  await sql`
    with change (id, point_count, last_point_ms, loose_chunks, updated_at) as (values ${sql.join(changes)})
    update tracks set revision = tracks.revision + 1, point_count = change.point_count,
      last_point_ms = change.last_point_ms, loose_chunks = change.loose_chunks, updated_at = change.updated_at
    from change where tracks.id = change.id and tracks.id in (${sql.join(plans.map(({ trackId }) => trackId))})`.execute(
    transaction,
  )
}
