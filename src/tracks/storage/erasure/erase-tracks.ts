import type { Transaction } from 'kysely'
import type { WebhookOutbox } from '#platform/webhooks/storage/outbox.ts'
import type { TrackHeadRow, TracksTables } from '../tables.ts'
import { nextUpdate } from '../tracks-store.ts'
import { addCounts, type ErasedCounts, factsOfTracks, rowsErased } from './erased-counts.ts'
import { removeRows, rowsOfDevices, rowsOfTracks } from './personal-rows.ts'

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

type Step = {
  eventId: string
  ids: readonly string[]
  /** Judges a locked track, which may have changed since it was found. */
  isMeant(track: ErasableTrack): boolean
  outbox: Pick<WebhookOutbox, 'add'>
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
  return counts
}
