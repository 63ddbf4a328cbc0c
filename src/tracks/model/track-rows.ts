import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import { trackNotFound } from './errors.ts'
import type { TrackDetailsRow, TrackHeadRow, TrackRow, TracksTables } from './tables.ts'
import type { ActivityType, TrackState } from './track-state.ts'

/** The tracks that a request reaches: all of an event, or only one person's. All others do not exist for it. */
export type TrackScope = {
  eventId: string
  /** Null for the tracks of everyone. */
  userId: string | null
}

/** Returns the scope of all tracks of an event, for operators, and for spectators, whose share was checked. */
export function wholeEvent(eventId: string): TrackScope {
  return { eventId, userId: null }
}

/** Filters for tracks of an event. Absent fields do not filter. */
export type TrackFilter = {
  state?: TrackState
  activityType?: ActivityType
  /** Bounds of the start time: `fromMs` inclusive, `toMs` exclusive. */
  fromMs?: number
  toMs?: number
}

/** Limits a query to tracks that pass a filter. */
export function filtered<Selected>(
  query: SelectQueryBuilder<TracksTables, 'tracks', Selected>,
  { state, activityType, fromMs, toMs }: TrackFilter,
) {
  return query
    .$if(state !== undefined, (all) => all.where('state', '=', state!))
    .$if(activityType !== undefined, (all) => all.where('activity_type', '=', activityType!))
    .$if(fromMs !== undefined, (all) => all.where('start_ms', '>=', fromMs!))
    .$if(toMs !== undefined, (all) => all.where('start_ms', '<', toMs!))
}

/** Tells whether a track is in a scope. */
export function isInScope(
  track: { event_id: string; user_id: string | null },
  { eventId, userId }: TrackScope,
): boolean {
  return track.event_id === eventId && (userId === null || track.user_id === userId)
}

const NO_DETAILS = {
  image_url: null,
  given_stats: null,
  computed_stats: null,
  computed_revision: null,
  computed_method: null,
} satisfies Omit<TrackDetailsRow, 'track_id'>
const DETAILS = Object.keys(NO_DETAILS) as (keyof typeof NO_DETAILS)[]

/** Columns that tell what a track shows: its name, state, times and pauses, the part that is shown, and its points. */
export const SHOWN_COLUMNS = [
  'id',
  'title',
  'activity_type',
  'state',
  'start_ms',
  'end_ms',
  'stopped_at',
  'resumed_at',
  'updated_at',
  'pauses',
  'revision',
  'point_count',
  'last_point_ms',
  'shown_from_ms',
  'shown_until_ms',
] as const satisfies (keyof TrackHeadRow)[]

/** A track as frames, replays and delays need it. */
export type ShownTrackRow = Pick<TrackHeadRow, (typeof SHOWN_COLUMNS)[number]>

/** Selects whole tracks, for the caller to choose which. */
export function selectTracks(db: Kysely<TracksTables>) {
  return db
    .selectFrom('tracks')
    .leftJoin('track_details', 'track_details.track_id', 'tracks.id')
    .selectAll('tracks')
    .select(DETAILS)
}

/**
 * Returns a track, whose row is locked until the end of the transaction: for changes, or against them (`forShare`). Who
 * changes details holds the lock too, so they are read after it was taken.
 * @throws trackNotFound
 */
export async function lockTrack(
  transaction: Transaction<TracksTables>,
  id: string,
  lock: 'forUpdate' | 'forShare' = 'forUpdate',
): Promise<TrackRow> {
  const head = await transaction.selectFrom('tracks').selectAll().where('id', '=', id)[lock]().executeTakeFirst()
  if (head === undefined) throw trackNotFound()
  return await addDetails(transaction, head)
}

/** Returns a track with its details. */
export async function addDetails(db: Kysely<TracksTables>, head: TrackHeadRow): Promise<TrackRow> {
  const query = db.selectFrom('track_details').select(DETAILS).where('track_id', '=', head.id)
  return { ...head, ...((await query.executeTakeFirst()) ?? NO_DETAILS) }
}

/** Inserts a track. */
export async function insertTrackRow(db: Kysely<TracksTables>, row: TrackRow): Promise<void> {
  const { image_url, given_stats, computed_stats, computed_revision, computed_method, ...head } = row
  await db.insertInto('tracks').values(head).execute()
  const details = { image_url, given_stats, computed_stats, computed_revision, computed_method }
  if (Object.values(details).some((value) => value !== null)) await keepDetails(db, row.id, details)
}

/** Stores details of a track. The caller holds the lock of the track. */
export async function keepDetails(
  db: Kysely<TracksTables>,
  trackId: string,
  details: Partial<Omit<TrackDetailsRow, 'track_id'>>,
): Promise<void> {
  await db
    .insertInto('track_details')
    .values({ track_id: trackId, ...NO_DETAILS, ...details })
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet(details))
    .execute()
}

/**
 * Tracks removed in one transaction: few enough that phones of other events wait no longer than for a batch of points.
 */
export const TRACKS_PER_STEP = 50

/** Removes the points and details of tracks whose rows are gone: a concurrent append finds no track. */
export async function removeContents(
  transaction: Transaction<TracksTables>,
  trackIds: readonly string[],
): Promise<void> {
  await transaction.deleteFrom('chunks').where('track_id', 'in', trackIds).execute()
  await transaction.deleteFrom('track_details').where('track_id', 'in', trackIds).execute()
}
