import { type Kysely, sql, type Transaction } from 'kysely'
import { nextUpdate } from '#platform/basics/time.ts'
import type { WebhookOutbox } from '#platform/webhooks/outbox.ts'
import { forgetFrames } from '../model/frame-tables.ts'
import type { TrackHeadRow, TracksTables } from '../model/tables.ts'
import { addCounts, type ErasedCounts, type ErasuresStore, factsOfTracks, rowsErased } from './store.ts'

/** Tracks erased in one transaction: few enough that phones wait no longer than for a batch of points. */
export const TRACKS_PER_STEP = 50

/** Columns that decide whether a track is erased, and that its receipt needs. */
const COLUMNS = [
  'id',
  'device_track_id',
  'user_id',
  'point_count',
  'start_ms',
  'end_ms',
  'last_point_ms',
  'created_at',
  'updated_at',
] as const satisfies (keyof TrackHeadRow)[]

/** A track that may be erased. */
export type ErasableTrack = Pick<TrackHeadRow, (typeof COLUMNS)[number]>

/** Everything that tracks are erased with. */
export type Eraser = {
  db: Kysely<TracksTables>
  store: ErasuresStore
  outbox: WebhookOutbox
  /** Tells viewers on this instance that an event has changed. */
  onErased?: (eventId: string) => void
  now: () => number
}

type Step = {
  eventId: string
  ids: readonly string[]
  /** Judges a locked track, which may have changed since it was found. */
  isMeant(track: ErasableTrack): boolean
  outbox: WebhookOutbox
  nowMs: number
}

/**
 * Erases tracks of an event with everything about them: points, statistics, shares, remembered answers, and messages to
 * webhooks. Webhooks are told the ids, so that receivers can erase what they have.
 */
export async function eraseTracks(transaction: Transaction<TracksTables>, step: Step): Promise<ErasedCounts> {
  const { eventId, ids, isMeant, outbox, nowMs } = step
  const locked = await transaction
    .selectFrom('tracks')
    .select(COLUMNS)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const tracks = locked.filter(isMeant)
  if (tracks.length === 0) return factsOfTracks([])
  let counts = factsOfTracks(tracks)
  const devices = await rowsOfDevices(transaction, eventId, tracks)
  for (const rows of [...rowsOfTracks(eventId, tracks), ...devices])
    counts = addCounts(counts, rowsErased(eventId, rows.table, await removeRows(transaction, rows)))
  for (const track of tracks) {
    const deletion = { event_id: eventId, track_id: track.id, deleted_at: nextUpdate(track, nowMs) }
    await transaction.insertInto('deleted_tracks').values(deletion).execute()
    const message = { ownerId: eventId, type: 'track.deleted', subjectId: track.id, data: { id: track.id } }
    await outbox.add(transaction, { ...message, isDraft: false, timeMs: deletion.deleted_at })
  }
  const begunMs = tracks.reduce((earliest, { start_ms }) => Math.min(earliest, start_ms), nowMs)
  await forgetFrames(transaction, eventId, Math.floor((nowMs - begunMs) / 1000))
  return counts
}

/** Rows of one table in which each column has one of the values. */
export type PersonalRows = { table: keyof TracksTables; where: Readonly<Record<string, readonly string[]>> }

/** A track that is to be erased. */
type ErasedTrack = { id: string; device_track_id: string }

/**
 * Returns the rows about tracks, in every table that has any. The tracks come first: a concurrent append of points
 * either commits before the chunks are removed, or finds no track.
 */
export function rowsOfTracks(eventId: string, tracks: readonly ErasedTrack[]): PersonalRows[] {
  const ids = tracks.map(({ id }) => id)
  const event = [eventId]
  return [
    { table: 'tracks', where: { id: ids } },
    { table: 'chunks', where: { track_id: ids } },
    { table: 'track_details', where: { track_id: ids } },
    { table: 'followed_tracks', where: { track_id: ids } },
    {
      table: 'device_tracks',
      where: { event_id: event, device_track_id: tracks.map(({ device_track_id }) => device_track_id) },
    },
    { table: 'phone_recordings', where: { event_id: event, track_id: ids } },
    { table: 'shares', where: { event_id: event, track_id: ids } },
    { table: 'idempotency_keys', where: { owner_id: event, subject_id: ids } },
    { table: 'webhook_deliveries', where: { owner_id: event, subject_id: ids } },
  ]
}

/** Returns the tracks of a person that are in the bin of an event. */
export async function binnedTracksOf(
  db: Kysely<TracksTables>,
  eventId: string,
  userId: string,
): Promise<TrackHeadRow[]> {
  const query = db
    .selectFrom('binned_tracks')
    .select('row')
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
  return (await query.orderBy('track_id').execute()).map(({ row }) => JSON.parse(row) as TrackHeadRow)
}

/** Returns the rows about tracks in the bin. Their `device_track_id` may be another track's by now. */
export function rowsOfBinnedTracks(eventId: string, tracks: readonly ErasedTrack[]): PersonalRows[] {
  const rows = rowsOfTracks(eventId, tracks).filter(({ table }) => table !== 'device_tracks' && table !== 'tracks')
  return [{ table: 'binned_tracks', where: { track_id: tracks.map(({ id }) => id) } }, ...rows]
}

/** Erases the tracks of a person that are in the bin of an event. Webhooks know of their deletion already. */
export async function eraseBinnedTracks(
  transaction: Transaction<TracksTables>,
  eventId: string,
  userId: string,
): Promise<ErasedCounts> {
  const tracks = (await binnedTracksOf(transaction, eventId, userId)).slice(0, TRACKS_PER_STEP)
  let counts = factsOfTracks(tracks)
  if (tracks.length === 0) return counts
  for (const rows of rowsOfBinnedTracks(eventId, tracks))
    counts = addCounts(counts, rowsErased(eventId, rows.table, await removeRows(transaction, rows)))
  return counts
}

/** Returns the rows about a person of an event, apart from rows of their tracks. */
export async function rowsOfPerson(db: Kysely<TracksTables>, eventId: string, userId: string): Promise<PersonalRows[]> {
  const event = [eventId]
  const endpoints = await endpointsOfPerson(db, eventId, userId)
  return [
    { table: 'app_tokens', where: { event_id: event, user_id: [userId] } },
    { table: 'runners', where: { event_id: event, user_id: [userId] } },
    { table: 'runner_times', where: { event_id: event, user_id: [userId] } },
    ...(endpoints.length === 0
      ? []
      : [{ table: 'idempotency_keys', where: { owner_id: event, endpoint: endpoints } } as const]),
  ]
}

/**
 * Returns the rows of devices that have recorded these tracks and no others. To be asked before the recordings are
 * removed; a device that goes on sending gets a new row.
 */
export async function rowsOfDevices(
  db: Kysely<TracksTables>,
  eventId: string,
  tracks: readonly ErasedTrack[],
): Promise<PersonalRows[]> {
  const ids = tracks.map(({ id }) => id)
  const recordings = () => db.selectFrom('phone_recordings').select('device_key').where('event_id', '=', eventId)
  const keys = (await recordings().where('track_id', 'in', ids).execute()).map(({ device_key }) => device_key)
  if (keys.length === 0) return []
  const busy = await recordings().where('device_key', 'in', keys).where('track_id', 'not in', ids).execute()
  const kept = new Set(busy.map(({ device_key }) => device_key))
  const gone = [...new Set(keys)].filter((key) => !kept.has(key))
  return gone.length === 0 ? [] : [{ table: 'phone_devices', where: { event_id: [eventId], device_key: gone } }]
}

/**
 * Returns the endpoints under which a person's requests are remembered: the name of the endpoint, a
 * colon, and the person (`trackCreationKey`).
 */
async function endpointsOfPerson(db: Kysely<TracksTables>, eventId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('idempotency_keys')
    .select('endpoint')
    .distinct()
    .where('owner_id', '=', eventId)
    .where(sql<boolean>`endpoint like '%:%'`)
    .execute()
  return rows.map(({ endpoint }) => endpoint).filter((name) => name.slice(name.indexOf(':') + 1) === userId)
}

/** Removes rows. @returns their number */
export async function removeRows(transaction: Transaction<TracksTables>, { table, where }: PersonalRows) {
  let query = untyped(transaction).deleteFrom(table)
  for (const [column, values] of Object.entries(where)) query = query.where(column, 'in', values)
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
}

/** Counts rows, except rows of the same table that are counted elsewhere. */
export async function countRows(
  db: Kysely<TracksTables>,
  { table, where }: PersonalRows,
  elsewhere: readonly PersonalRows[] = [],
): Promise<number> {
  let query = untyped(db)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
  for (const [column, values] of Object.entries(where)) query = query.where(column, 'in', values)
  for (const other of elsewhere.filter((rows) => rows.table === table)) {
    const isOther = Object.entries(other.where)
    query = query.where(({ eb, not, and }) => not(and(isOther.map(([column, values]) => eb(column, 'in', values)))))
  }
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/** Sees the database as one of tables that are named at run time. */
function untyped(db: Kysely<TracksTables>): Kysely<Record<string, Record<string, unknown>>> {
  return db as unknown as Kysely<Record<string, Record<string, unknown>>>
}
