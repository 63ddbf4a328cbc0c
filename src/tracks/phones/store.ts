import type { Kysely, Transaction } from 'kysely'
import type { TracksTables } from '../model/tables.ts'
import { isInScope, type TrackScope, wholeEvent } from '../model/track-rows.ts'
import type { TrackState } from '../model/track-state.ts'

/** A device that sends to an event with one of the common apps. */
export type PhoneDevice = { eventId: string; deviceKey: string }

/** A track that a device records. */
export type PhoneRecording = {
  trackId: string
  firstMs: number
  /** Time of the last point, or of the last one that was on its way when the recording was written. */
  lastMs: number
  phase: RecordingPhase
  trackState: TrackState
}

/**
 * `open` while points are expected, `silent` once it was finished because none came, `ended` once it was finished by
 * someone. Points that continue a silent recording open it again.
 */
type RecordingPhase = 'open' | 'silent' | 'ended'

/**
 * Returns the recordings that may hold points from `fromMs` to `toMs`, in the order of their first points: the last one
 * that begins before, and all that begin by `toMs`.
 */
export async function findRecordings(
  db: Kysely<TracksTables>,
  { eventId, userId, deviceKey }: PhoneDevice & TrackScope,
  fromMs: number,
  toMs: number,
): Promise<PhoneRecording[]> {
  const rows = await db
    .selectFrom('phone_recordings')
    .select(['track_id', 'first_ms', 'last_ms', 'phase'])
    .where('event_id', '=', eventId)
    .where('device_key', '=', deviceKey)
    .where('first_ms', '<=', toMs)
    .where((or) =>
      or.or([
        or('first_ms', '>', fromMs),
        or('first_ms', '=', (before) =>
          before
            .selectFrom('phone_recordings')
            .select((latest) => latest.fn.max('first_ms').as('first_ms'))
            .where('event_id', '=', eventId)
            .where('device_key', '=', deviceKey)
            .where('first_ms', '<=', fromMs),
        ),
      ]),
    )
    .orderBy('first_ms')
    .execute()
  return await withTracks(db, { eventId, userId }, rows)
}

/** Returns one recording; undefined if its track was deleted. */
export async function findRecording(
  db: Kysely<TracksTables>,
  { eventId, trackId }: QuietRecording,
): Promise<PhoneRecording | undefined> {
  const rows = await db
    .selectFrom('phone_recordings')
    .select(['track_id', 'first_ms', 'last_ms', 'phase'])
    .where('event_id', '=', eventId)
    .where('track_id', '=', trackId)
    .execute()
  const [found] = await withTracks(db, wholeEvent(eventId), rows)
  return found
}

/** Makes requests of one device wait for each other until the end of the transaction. */
export async function lockDevice(
  transaction: Transaction<TracksTables>,
  { eventId, deviceKey }: PhoneDevice,
): Promise<void> {
  await transaction
    .insertInto('phone_devices')
    .values({ event_id: eventId, device_key: deviceKey })
    .onConflict((conflict) => conflict.columns(['event_id', 'device_key']).doNothing())
    .execute()
  await transaction
    .selectFrom('phone_devices')
    .select('device_key')
    .where('event_id', '=', eventId)
    .where('device_key', '=', deviceKey)
    .forUpdate()
    .execute()
}

/** Adds a recording whose track was created in the same transaction. */
export async function insertRecording(
  transaction: Transaction<TracksTables>,
  { eventId, deviceKey }: PhoneDevice,
  { trackId, firstMs, lastMs }: Omit<PhoneRecording, 'phase' | 'trackState'>,
): Promise<void> {
  await transaction
    .insertInto('phone_recordings')
    .values({
      event_id: eventId,
      device_key: deviceKey,
      track_id: trackId,
      first_ms: firstMs,
      last_ms: lastMs,
      phase: 'open',
    })
    .execute()
}

/** Writes the changes of a recording. */
export async function updateRecording(
  transaction: Transaction<TracksTables>,
  eventId: string,
  trackId: string,
  changes: { first_ms?: number; last_ms?: number; phase?: RecordingPhase },
): Promise<void> {
  await transaction
    .updateTable('phone_recordings')
    .set(changes)
    .where('event_id', '=', eventId)
    .where('track_id', '=', trackId)
    .execute()
}

/** An open recording without a point for a while, as far as its row tells. */
export type QuietRecording = PhoneDevice & { trackId: string }

/** Finds open recordings of all events whose rows name no point since `beforeMs`, the quietest first. */
export async function findQuiet(db: Kysely<TracksTables>, beforeMs: number, limit: number): Promise<QuietRecording[]> {
  const rows = await db
    .selectFrom('phone_recordings')
    .select(['event_id', 'device_key', 'track_id'])
    .where('phase', '=', 'open')
    .where('last_ms', '<', beforeMs)
    .orderBy('last_ms')
    .limit(limit)
    .execute()
  return rows.map(({ event_id, device_key, track_id }) => ({
    eventId: event_id,
    deviceKey: device_key,
    trackId: track_id,
  }))
}

/** Finds open recordings of one device that begin before a time. */
export async function findOpenBefore(
  db: Kysely<TracksTables>,
  { eventId, deviceKey }: PhoneDevice,
  beforeMs: number,
): Promise<QuietRecording[]> {
  const rows = await db
    .selectFrom('phone_recordings')
    .select('track_id')
    .where('event_id', '=', eventId)
    .where('device_key', '=', deviceKey)
    .where('phase', '=', 'open')
    .where('first_ms', '<', beforeMs)
    .execute()
  return rows.map(({ track_id }) => ({ eventId, deviceKey, trackId: track_id }))
}

/** Removes the recordings of tracks that are deleted in the same transaction. */
export async function forgetRecording(
  transaction: Transaction<TracksTables>,
  eventId: string,
  trackId: string,
): Promise<void> {
  await transaction
    .deleteFrom('phone_recordings')
    .where('event_id', '=', eventId)
    .where('track_id', '=', trackId)
    .execute()
}

type RecordingColumns = { track_id: string; first_ms: number; last_ms: number; phase: RecordingPhase }

/**
 * Adds what the tracks know better: their last points and their states. Tracks that were deleted, or given to another
 * person than that of the token, are left out.
 */
async function withTracks(
  db: Kysely<TracksTables>,
  scope: TrackScope,
  rows: readonly RecordingColumns[],
): Promise<PhoneRecording[]> {
  if (rows.length === 0) return []
  const tracks = await db
    .selectFrom('tracks')
    .select(['id', 'event_id', 'user_id', 'state', 'last_point_ms'])
    .where(
      'id',
      'in',
      rows.map(({ track_id }) => track_id),
    )
    .execute()
  const byId = new Map(tracks.map((track) => [track.id, track]))
  return rows.flatMap(({ track_id, first_ms, last_ms, phase }) => {
    const track = byId.get(track_id)
    if (track === undefined || !isInScope(track, scope)) return []
    const lastMs = Math.max(last_ms, track.last_point_ms ?? last_ms)
    return [{ trackId: track_id, firstMs: first_ms, lastMs, phase, trackState: track.state }]
  })
}
