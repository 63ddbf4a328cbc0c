import type { Kysely } from 'kysely'
import { decodeChunk } from '../chunks/chunk-codec.ts'
import { type PointColumns, sliceColumns } from '../points/point-columns.ts'
import { concatColumns, firstIndexAfter } from '../points/point-set.ts'
import type { TrackRow, TracksTables } from './tables.ts'

/** A track and the time of its latest change. */
export type ChangedTrack = Pick<TrackRow, 'id' | 'updated_at'>

/** Filters for the tracks of an event. */
export type ChangeQuery = {
  /** Only tracks that changed later. */
  sinceMs?: number
  /** Only tracks that start at this time or later; an index finds them. */
  startedSinceMs?: number
  /** Only tracks that are not stopped or have changed later. */
  activeSinceMs?: number
  trackId?: string
}

/** Returns the tracks that match, ordered by the time of their latest change. */
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

/** Returns the time of the latest change in the event; 0 for an empty event. */
export async function lastChange(db: Kysely<TracksTables>, eventId: string): Promise<number> {
  const { last_ms } = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.max('updated_at').as('last_ms'))
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return last_ms ?? 0
}

/** Returns the rows of tracks, ordered by the time of their latest change. */
export async function readTracks(db: Kysely<TracksTables>, ids: readonly string[]): Promise<TrackRow[]> {
  if (ids.length === 0) return []
  return await db.selectFrom('tracks').selectAll().where('id', 'in', ids).orderBy('updated_at').orderBy('id').execute()
}

/** Returns the tracks of the event that were deleted later than `sinceMs`. */
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

/** The end of a track: its points later than a time. */
export type TailQuery = { trackId: string; afterMs: number }

/** Returns the ends of tracks by their ids, with one query for all. Tracks without such points are missing. */
export async function readTails(
  db: Kysely<TracksTables>,
  tails: readonly TailQuery[],
): Promise<Map<string, PointColumns>> {
  if (tails.length === 0) return new Map()
  const rows = await db
    .selectFrom('chunks')
    .select(['track_id', 'bytes'])
    .where((is) =>
      is.or(tails.map(({ trackId, afterMs }) => is.and([is('track_id', '=', trackId), is('last_ms', '>', afterMs)]))),
    )
    .orderBy('track_id')
    .orderBy('first_ms')
    .execute()
  const byTrack = Map.groupBy(rows, ({ track_id }) => track_id)
  return new Map(
    tails.flatMap(({ trackId, afterMs }) => {
      const chunks = byTrack.get(trackId)
      if (chunks === undefined) return []
      const points = concatColumns(chunks.map(({ bytes }) => decodeChunk(bytes)))
      return [[trackId, sliceColumns(points, firstIndexAfter(points, afterMs), points.count)] as const]
    }),
  )
}
