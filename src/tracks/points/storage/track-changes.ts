import { type Kysely, sql } from 'kysely'
import { withRunnerNames } from '../../model/runner-names.ts'
import { MAX_COARSE_LAG_MS, type TrackRow, type TracksTables } from '../../model/tables.ts'
import { selectTracks } from '../../model/track-rows.ts'
import { decodeTail, type StoredTail } from '../chunks/chunk-codec.ts'
import { lastBatteryPercent, type PointColumns } from '../point-columns.ts'

/** A track to show. */
export type FoundTrack = { id: string }

/** A track and the time of its latest change. */
export type ChangedTrack = Pick<TrackRow, 'id' | 'updated_at'>

/** Filters for the tracks of an event. */
export type ChangeQuery = {
  /** Only tracks that changed later. */
  sinceMs?: number
  /** Only tracks that start at this time or later. */
  startedSinceMs?: number
  trackId?: string
}

/** Returns the tracks that match, ordered by the time of their latest change. */
export async function findChanged(
  db: Kysely<TracksTables>,
  eventId: string,
  { sinceMs, startedSinceMs, trackId }: ChangeQuery,
): Promise<ChangedTrack[]> {
  let query = db.selectFrom('tracks').select(['id', 'updated_at']).where('event_id', '=', eventId)
  if (trackId !== undefined) query = query.where('id', '=', trackId)
  if (sinceMs !== undefined) {
    query = query.where('updated_at', '>', sinceMs)
    // Follows from the former, and an index has it.
    query = query.where('coarse_updated_at', '>', sinceMs - MAX_COARSE_LAG_MS)
  }
  // Written so that no index is used for it: the index of changes finds far fewer rows.
  if (startedSinceMs !== undefined) query = query.where(sql<number>`start_ms + 0`, '>=', startedSinceMs)
  return await query.orderBy('updated_at').orderBy('id').execute()
}

/** Returns all tracks of an event, in no order. */
export async function findTracks(db: Kysely<TracksTables>, eventId: string): Promise<ChangedTrack[]> {
  return await db.selectFrom('tracks').select(['id', 'updated_at']).where('event_id', '=', eventId).execute()
}

/**
 * Times of the latest change by which an event is divided into the present and its past. A track close to them counts
 * as present: the index that divides has coarse times.
 */
type ActiveSince = {
  /** Stopped tracks that have not changed since then are past. */
  stoppedMs: number
  /** All other tracks that have not changed since then are past: nobody finished them. */
  openMs: number
}

/** A track's place among those of its event by their latest changes, and the most tracks to read after it. */
type ActivePart = { after: { id: string; coarse_updated_at: number } | undefined; limit: number }

/** Returns the tracks of an event that are in progress or have changed lately, latest change last: all, or a part. */
export async function findActive(
  db: Kysely<TracksTables>,
  eventId: string,
  { stoppedMs, openMs }: ActiveSince,
  part?: ActivePart,
): Promise<(FoundTrack & { coarse_updated_at: number })[]> {
  const { after, limit } = part ?? {}
  return await db
    .selectFrom('tracks')
    .select(['id', 'coarse_updated_at'])
    .where('event_id', '=', eventId)
    .where('coarse_updated_at', '>', openMs - MAX_COARSE_LAG_MS)
    .where((or) => or.or([or('state', '!=', 'stopped'), or('coarse_updated_at', '>', stoppedMs - MAX_COARSE_LAG_MS)]))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(coarse_updated_at, id) > (${after?.coarse_updated_at}, ${after?.id})`),
    )
    .orderBy('coarse_updated_at')
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute()
}

/**
 * Returns the tracks of an event that are past, at most `limit` of them, latest
 * change first, and how many more there are.
 */
export async function findPast(
  db: Kysely<TracksTables>,
  eventId: string,
  { stoppedMs, openMs }: ActiveSince,
  limit: number,
): Promise<{ tracks: FoundTrack[]; leftOut: number }> {
  const past = db
    .selectFrom('tracks')
    .where('event_id', '=', eventId)
    .where('coarse_updated_at', '<=', stoppedMs - MAX_COARSE_LAG_MS)
    .where((or) => or.or([or('state', '=', 'stopped'), or('coarse_updated_at', '<=', openMs - MAX_COARSE_LAG_MS)]))
  const rows = await past.select('id').orderBy('coarse_updated_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  const tracks = rows.map(({ id }) => ({ id, isPast: true }))
  if (rows.length < limit) return { tracks, leftOut: 0 }
  const { count } = await past.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { tracks, leftOut: Number(count) - rows.length }
}

/**
 * Returns the tracks of an event that began by `untilMs`: all that began later than `sinceMs`, and at most `limit`
 * earlier ones, the newest, with the number of the rest. Later changes of these tracks make no difference.
 */
export async function findBegun(
  db: Kysely<TracksTables>,
  eventId: string,
  { sinceMs, untilMs, limit }: { sinceMs: number; untilMs: number; limit: number },
): Promise<{ recent: FoundTrack[]; older: FoundTrack[]; leftOut: number }> {
  const ofEvent = db.selectFrom('tracks').where('event_id', '=', eventId)
  const newestFirst = ofEvent.select('id').orderBy('start_ms', 'desc').orderBy('id', 'desc')
  const recent = await newestFirst.where('start_ms', '>', sinceMs).where('start_ms', '<=', untilMs).execute()
  const before = Math.min(sinceMs, untilMs)
  const older = await newestFirst.where('start_ms', '<=', before).limit(limit).execute()
  if (older.length < limit) return { recent, older, leftOut: 0 }
  const all = ofEvent.where('start_ms', '<=', before).select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await all.executeTakeFirstOrThrow()
  return { recent, older, leftOut: Number(count) - older.length }
}

/** Returns the time of the latest change in the event; 0 for an empty event. */
export async function lastChange(db: Kysely<TracksTables>, eventId: string): Promise<number> {
  const ofEvent = db.selectFrom('tracks').where('event_id', '=', eventId)
  const coarse = await ofEvent
    .select(({ fn }) => fn.max<number | null>('coarse_updated_at').as('last_ms'))
    .executeTakeFirstOrThrow()
  if (coarse.last_ms === null) return 0
  const { last_ms } = await ofEvent
    .select(({ fn }) => fn.max<number | null>('updated_at').as('last_ms'))
    .where('coarse_updated_at', '>=', coarse.last_ms - MAX_COARSE_LAG_MS)
    .executeTakeFirstOrThrow()
  return last_ms ?? 0
}

/** Returns the rows of tracks, ordered by the time of their latest change. */
export async function readTracks(db: Kysely<TracksTables>, ids: readonly string[]): Promise<TrackRow[]> {
  if (ids.length === 0) return []
  const rows = await selectTracks(db).where('id', 'in', ids).orderBy('updated_at').orderBy('id').execute()
  return await withRunnerNames(db, rows)
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

/** The end of a track: its points later than a time, up to another. */
export type TailQuery = { trackId: string; afterMs: number; untilMs?: number }

/** Returns the ends of tracks by their ids, with one query for all. Tracks without such points are missing. */
export async function readTails(
  db: Kysely<TracksTables>,
  tails: readonly TailQuery[],
): Promise<Map<string, PointColumns>> {
  const stored = await readStoredTails(db, tails)
  return new Map(stored.map((tail) => [tail.trackId, decodeTail(tail)]))
}

/** Phones send their charge now and then: one of so long before the last point is still the latest. */
const CHARGE_KNOWN_MS = 10 * 60_000

/** Returns the latest charges of phones in per cent, by their tracks; none of phones that have not told it lately. */
export async function readCharges(
  db: Kysely<TracksTables>,
  tracks: readonly { trackId: string; lastMs: number }[],
): Promise<Map<string, number>> {
  const ends = tracks.map(({ trackId, lastMs }) => ({ trackId, afterMs: lastMs - CHARGE_KNOWN_MS }))
  const charges = new Map<string, number>()
  for (const [trackId, tail] of await readTails(db, ends)) {
    const percent = lastBatteryPercent(tail)
    if (percent !== undefined) charges.set(trackId, percent)
  }
  return charges
}

/** Returns the ends of tracks with one query for all. Tracks without such points are missing. */
export async function readStoredTails(
  db: Kysely<TracksTables>,
  tails: readonly TailQuery[],
): Promise<(TailQuery & StoredTail)[]> {
  if (tails.length === 0) return []
  const rows = await db
    .selectFrom('chunks')
    .select(['track_id', 'bytes'])
    .where((is) =>
      is.or(
        tails.map(({ trackId, afterMs, untilMs }) =>
          is.and([
            is('track_id', '=', trackId),
            is('last_ms', '>', afterMs),
            ...(untilMs === undefined ? [] : [is('first_ms', '<=', untilMs)]),
          ]),
        ),
      ),
    )
    .orderBy('track_id')
    .orderBy('first_ms')
    .execute()
  const byTrack = Map.groupBy(rows, ({ track_id }) => track_id)
  return tails.flatMap((tail) => {
    const chunks = byTrack.get(tail.trackId)
    return chunks === undefined ? [] : [{ ...tail, chunks: chunks.map(({ bytes }) => bytes) }]
  })
}
