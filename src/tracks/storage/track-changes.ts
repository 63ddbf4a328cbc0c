import type { Kysely } from 'kysely'
import { decodeChunk } from '../chunks/chunk-codec.ts'
import { type PointColumns, sliceColumns } from '../points/point-columns.ts'
import { concatColumns, firstIndexAfter } from '../points/point-set.ts'
import type { TrackRow, TracksTables } from './tables.ts'

/** A track and when it last changed. */
export type ChangedTrack = Pick<TrackRow, 'id' | 'updated_at'>

/** Which tracks of an event are asked about. */
export type ChangeQuery = {
  /** Only tracks that changed later than this. */
  sinceMs?: number
  /** Only tracks that start at this time or later, which an index finds. */
  startedSinceMs?: number
  /** Only tracks that are not stopped, or have changed later than this. */
  activeSinceMs?: number
  trackId?: string
}

/** Tracks that a query leaves, those that changed first before the others. */
export async function findChanged(
  db: Kysely<TracksTables>,
  eventId: string,
  { sinceMs, startedSinceMs, activeSinceMs, trackId }: ChangeQuery,
): Promise<ChangedTrack[]> {
  let query = db.selectFrom('tracks').select(['id', 'updated_at']).where('event_id', '=', eventId)
  if (trackId !== undefined) query = query.where('id', '=', trackId)
  if (sinceMs !== undefined) query = query.where('updated_at', '>', sinceMs)
  if (startedSinceMs !== undefined) query = query.where('start_ms', '>=', startedSinceMs)
  if (activeSinceMs !== undefined) {
    query = query.where((or) => or.or([or('state', '!=', 'stopped'), or('updated_at', '>', activeSinceMs)]))
  }
  return await query.orderBy('updated_at').orderBy('id').execute()
}

/** When anything in the event last changed; 0 in an empty one. */
export async function lastChange(db: Kysely<TracksTables>, eventId: string): Promise<number> {
  const { last_ms } = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.max('updated_at').as('last_ms'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return last_ms ?? 0
}

/** The rows of these tracks, those that changed first before the others. */
export async function readTracks(db: Kysely<TracksTables>, ids: readonly string[]): Promise<TrackRow[]> {
  if (ids.length === 0) return []
  return await db.selectFrom('tracks').selectAll().where('id', 'in', ids).orderBy('updated_at').orderBy('id').execute()
}

/** Tracks of the event that were deleted later than this. */
export async function findDeleted(db: Kysely<TracksTables>, eventId: string, sinceMs: number) {
  return await db
    .selectFrom('deleted_tracks')
    .select(['track_id', 'deleted_at'])
    .where('event_id', '=', eventId)
    .where('deleted_at', '>', sinceMs)
    .orderBy('deleted_at')
    .execute()
}

export async function eventExists(db: Kysely<TracksTables>, eventId: string): Promise<boolean> {
  const query = db.selectFrom('events').select('id').where('id', '=', eventId).where('deleted_at', 'is', null)
  return (await query.executeTakeFirst()) !== undefined
}

/** The points of a track that are later than a time. */
export async function readTail(db: Kysely<TracksTables>, trackId: string, afterMs: number): Promise<PointColumns> {
  const rows = await db
    .selectFrom('chunks')
    .select('bytes')
    .where('track_id', '=', trackId)
    .where('last_ms', '>', afterMs)
    .orderBy('first_ms')
    .execute()
  const points = concatColumns(rows.map(({ bytes }) => decodeChunk(bytes)))
  return sliceColumns(points, firstIndexAfter(points, afterMs), points.count)
}
