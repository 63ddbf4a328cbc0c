import type { Kysely, Transaction, Updateable } from 'kysely'
import { isUuid } from '#platform/basics/text.ts'
import { nextUpdate } from '#platform/basics/time.ts'
import { forgetAnswersAbout, type IdempotencyTables } from '#platform/database/idempotency.ts'
import { inTransaction, TransactionConflict } from '#platform/database/transaction.ts'
import type { WebhookOutbox } from '#platform/webhooks/outbox.ts'
import { binTrack, takeOutTrack } from './bin-store.ts'
import { deviceTrackIdTaken, tokenInvalid, trackNotFound, tracksQuotaReached } from './errors.ts'
import type { EventLimits } from './event-limits.ts'
import { forgetFrames } from './frame-tables.ts'
import type { TrackHeadRow, TrackRow, TracksTables } from './tables.ts'
import {
  addDetails,
  filtered,
  insertTrackRow,
  isInScope,
  keepDetails,
  lockTrack,
  removeContents,
  selectTracks,
  type TrackFilter,
  type TrackScope,
} from './track-rows.ts'
import { isFinished, shownPartOf, type TRACK_EVENTS } from './track-state.ts'

/** Filters for the tracks of an event. Absent fields do not filter. */
type ListFilter = TrackFilter & { userId?: string; deviceTrackId?: string }

/** A position in the list: the last track on the page before. */
export type TrackCursor = { startMs: number; id: string }

/** Columns that a change may write. The store itself sets the times of the change. */
export type TrackChanges = Omit<Updateable<TrackHeadRow>, 'id' | 'event_id' | 'updated_at' | 'coarse_updated_at'>

/** Statistics to store: all of them as JSON, and the distance for sorting lists. */
type KeptStatistics = { json: string; distanceMeters: number }

type NewTrack = { row: TrackRow }

/** The part of an event that its new tracks need. It is read with the limits, without a query of its own. */
type EventOfNewTrack = { time_zone: string | null }

/** Tracks without their points. A track outside the scope of a request is treated as one that does not exist. */
export type TracksStore = ReturnType<typeof createTracksStore>

/** Parts that changes of tracks need. */
type Deps = { limits: EventLimits; outbox: WebhookOutbox; now: () => number }

export function createTracksStore(db: Kysely<TracksTables>, { limits, outbox, now }: Deps) {
  return {
    /**
     * Adds the track whose row `make` returns for its event, and returns all that `make` returned.
     * @throws deviceTrackIdTaken with the `track_id` that uses it, unless that track is outside the scope.
     */
    async create<New extends NewTrack>(
      transaction: Transaction<TracksTables>,
      scope: TrackScope,
      make: (event: EventOfNewTrack) => New,
    ): Promise<New> {
      const made = await insertTrack(transaction, scope, make, limits)
      await announceTrack(transaction, outbox, 'track.created', made.row)
      if (made.row.state === 'stopped') await announceTrack(transaction, outbox, 'track.finished', made.row)
      return made
    },

    async find(scope: TrackScope, id: string): Promise<TrackRow | undefined> {
      if (!isUuid(id)) return undefined
      const row = await selectTracks(db).where('id', '=', id).executeTakeFirst()
      return row !== undefined && isInScope(row, scope) ? row : undefined
    },

    /** @throws trackNotFound */
    async get(scope: TrackScope, id: string): Promise<TrackRow> {
      const row = await this.find(scope, id)
      if (row === undefined) throw trackNotFound()
      return row
    },

    /** Returns tracks, newest start first. */
    list: (scope: TrackScope, filter: ListFilter, after: TrackCursor | undefined, limit: number): Promise<TrackRow[]> =>
      listTracks(db, scope, filter, after, limit),

    /**
     * Changes a locked track. `decide` gets the current row and returns the changes; undefined changes nothing.
     * @throws trackNotFound
     */
    async change(
      scope: TrackScope,
      id: string,
      decide: (row: TrackRow) => TrackChanges | undefined,
    ): Promise<TrackRow> {
      return await inTransaction(db, async (transaction) => {
        const row = await lockTrackOf(transaction, scope, id)
        const changes = decide(row)
        if (changes === undefined) return row
        const head = await transaction
          .updateTable('tracks')
          .set({ ...changes, ...updateTimes(row, now()) })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        const changed = { ...row, ...head }
        if (showsLess(changed, row)) await forgetFrames(transaction, row.event_id)
        if (isFinished(changed) !== isFinished(row)) {
          await announceTrack(transaction, outbox, isFinished(changed) ? 'track.finished' : 'track.reopened', changed)
        }
        return changed
      })
    },

    /** Stores statistics that were computed from a revision, if that is still the current one. */
    async keepStatistics(
      id: string,
      revision: number,
      method: string,
      { json, distanceMeters }: KeptStatistics,
    ): Promise<void> {
      await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('tracks')
          .set({ distance_m: distanceMeters })
          .where('id', '=', id)
          .where('revision', '=', revision)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return
        const computed = { computed_stats: json, computed_revision: revision, computed_method: method }
        await keepDetails(transaction, id, computed)
      })
    },

    /** Deletes the track with all its points, or puts it into the bin. @throws trackNotFound */
    async delete(scope: TrackScope, id: string, { toBin }: { toBin: boolean } = { toBin: false }): Promise<void> {
      const { eventId } = scope
      await inTransaction(db, async (transaction) => {
        const deletedAtMs = await deleteTrack(transaction, scope, id, now(), toBin)
        await outbox.forget(transaction, eventId, id)
        const message = { ownerId: eventId, type: 'track.deleted', subjectId: id, data: { id }, isDraft: false }
        await outbox.add(transaction, { ...message, timeMs: deletedAtMs })
      })
    },

    /**
     * Takes the track out of the bin. Webhooks are told of it as of a new one.
     * @throws binnedThingNotFound, tracksQuotaReached, or deviceTrackIdTaken if another track has its id by now
     */
    async restore(id: string): Promise<TrackRow> {
      return await inTransaction(db, async (transaction) => {
        const head = await takeOutTrack(transaction, id)
        const row = { ...(await addDetails(transaction, head)), ...updateTimes(head, now()) }
        await this.create(transaction, { eventId: row.event_id, userId: null }, () => ({ row }))
        await forgetFrames(transaction, row.event_id)
        return row
      })
    },
  }
}

async function listTracks(
  db: Kysely<TracksTables>,
  { eventId, userId }: TrackScope,
  filter: ListFilter,
  after: TrackCursor | undefined,
  limit: number,
): Promise<TrackRow[]> {
  let query = db.selectFrom('tracks').select('id').where('event_id', '=', eventId)
  if (userId !== null) query = query.where('user_id', '=', userId)
  if (filter.deviceTrackId !== undefined) {
    const id = await idOfDevice(db, eventId, filter.deviceTrackId)
    if (id === undefined) return []
    query = query.where('id', '=', id)
  }
  query = filtered(query, filter)
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId)
  if (after !== undefined) {
    // The first condition follows from the second; with it the index scan begins at the cursor.
    query = query
      .where('start_ms', '<=', after.startMs)
      .where((or) => or.or([or('start_ms', '<', after.startMs), or('id', '<', after.id)]))
  }
  const found = query.orderBy('start_ms', 'desc').orderBy('id', 'desc').limit(limit)
  // An index alone finds the ids; only the rows of the page are read.
  return await selectTracks(db)
    .innerJoin(found.as('found'), 'found.id', 'tracks.id')
    .orderBy('start_ms', 'desc')
    .orderBy('tracks.id', 'desc')
    .execute()
}

/** Returns the id of the track with this `device_track_id`. */
async function idOfDevice(
  db: Kysely<TracksTables>,
  eventId: string,
  deviceTrackId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('device_tracks')
    .select('track_id')
    .where('event_id', '=', eventId)
    .where('device_track_id', '=', deviceTrackId)
    .executeTakeFirst()
  return row?.track_id
}

/** Returns the times of a change, also for the index of changes. */
export function updateTimes(row: { updated_at: number }, nowMs: number) {
  const updatedMs = nextUpdate(row, nowMs)
  return { updated_at: updatedMs, coarse_updated_at: updatedMs }
}

async function lockTrackOf(transaction: Transaction<TracksTables>, scope: TrackScope, id: string): Promise<TrackRow> {
  if (!isUuid(id)) throw trackNotFound()
  const row = await lockTrack(transaction, id)
  if (!isInScope(row, scope)) throw trackNotFound()
  return row
}

/** Tells webhooks of a change within its transaction. Statistics are added before the message is sent. */
async function announceTrack(
  transaction: Transaction<TracksTables>,
  outbox: Deps['outbox'],
  type: (typeof TRACK_EVENTS)[number],
  row: TrackRow,
): Promise<void> {
  const { id, event_id, updated_at } = row
  const message = { ownerId: event_id, type, subjectId: id, data: row, isDraft: true, timeMs: updated_at }
  await outbox.add(transaction, message)
}

/** Deletes a track with its rows, or puts it into the bin with its points. @returns the time of its deletion */
async function deleteTrack(
  transaction: Transaction<TracksTables>,
  scope: TrackScope,
  id: string,
  nowMs: number,
  toBin: boolean,
): Promise<number> {
  const { eventId } = scope
  const row = await lockTrackOf(transaction, scope, id)
  if (toBin) await binTrack(transaction, row, nowMs)
  else await removeContents(transaction, [id])
  await transaction.deleteFrom('followed_tracks').where('track_id', '=', id).execute()
  await transaction.deleteFrom('phone_recordings').where('event_id', '=', eventId).where('track_id', '=', id).execute()
  await transaction
    .deleteFrom('device_tracks')
    .where('event_id', '=', eventId)
    .where('device_track_id', '=', row.device_track_id)
    .execute()
  await forgetAnswersAbout(transaction as unknown as Transaction<IdempotencyTables>, eventId, [id])
  await transaction.deleteFrom('tracks').where('id', '=', id).execute()
  const deletion = { event_id: eventId, track_id: id, deleted_at: nextUpdate(row, nowMs) }
  await transaction.insertInto('deleted_tracks').values(deletion).execute()
  await forgetFrames(transaction, eventId, Math.floor((nowMs - row.start_ms) / 1000))
  return deletion.deleted_at
}

/** Tells whether a part of a track that was shown no longer is. */
function showsLess(changed: TrackRow, before: TrackRow): boolean {
  const [part, partBefore] = [shownPartOf(changed), shownPartOf(before)]
  return part.fromMs > partBefore.fromMs || part.untilMs < partBefore.untilMs
}

/** Refuses tracks of an event that is being deleted: nothing would remove them. */
async function requireEvent(transaction: Transaction<TracksTables>, eventId: string, limits: EventLimits) {
  const isLimited = limits.has(eventId)
  const query = transaction
    .selectFrom('events')
    .select(['max_tracks', 'time_zone'])
    .where('id', '=', eventId)
    .where('deleted_at', 'is', null)
  // An exclusive lock where tracks are counted: concurrent requests could all take the last slot.
  const event = await (isLimited ? query.forUpdate() : query.forShare()).executeTakeFirst()
  if (event === undefined) throw tokenInvalid()
  if (event.max_tracks !== null && !isLimited) {
    // Another instance has set the limit a moment ago. Two shared locks could not both become exclusive.
    limits.noteLimited(eventId)
    throw new TransactionConflict()
  }
  return event
}

async function requireQuota(
  transaction: Transaction<TracksTables>,
  eventId: string,
  maxTracks: number,
  limits: EventLimits,
): Promise<void> {
  if (!limits.isFullOfTracks(eventId)) {
    const { count } = await transaction
      .selectFrom('tracks')
      .select((tracks) => tracks.fn.countAll<number>().as('count'))
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow()
    if (count < maxTracks) return
    limits.noteFullOfTracks(eventId)
  }
  throw tracksQuotaReached({ detail: `This event has reached its limit of ${maxTracks} tracks.` })
}

async function insertTrack<New extends NewTrack>(
  transaction: Transaction<TracksTables>,
  scope: TrackScope,
  make: (event: EventOfNewTrack) => New,
  limits: EventLimits,
): Promise<New> {
  const event_id = scope.eventId
  const { max_tracks, time_zone } = await requireEvent(transaction, event_id, limits)
  const made = make({ time_zone })
  const { row } = made
  const { device_track_id } = row
  const taken = await transaction
    .insertInto('device_tracks')
    .values({ event_id, device_track_id, track_id: row.id })
    .onConflict((conflict) => conflict.columns(['event_id', 'device_track_id']).doNothing())
    .returning('track_id')
    .executeTakeFirst()
  if (taken === undefined) throw await takenProblem(transaction, scope, device_track_id)
  if (max_tracks !== null) await requireQuota(transaction, event_id, max_tracks, limits)
  await insertTrackRow(transaction, row)
  return made
}

/**
 * Makes the refusal of a `device_track_id` in use. It names the track, unless that is outside the scope of the request.
 */
async function takenProblem(transaction: Transaction<TracksTables>, scope: TrackScope, deviceTrackId: string) {
  const holder = await idOfDevice(transaction, scope.eventId, deviceTrackId)
  if (scope.userId === null || holder === undefined) {
    return deviceTrackIdTaken({ members: { track_id: holder ?? null } })
  }
  const track = await transaction
    .selectFrom('tracks')
    .select(['event_id', 'user_id'])
    .where('id', '=', holder)
    .executeTakeFirst()
  if (track !== undefined && isInScope(track, scope)) return deviceTrackIdTaken({ members: { track_id: holder } })
  return deviceTrackIdTaken({ detail: 'device_track_id is already in use by a track of someone else.' })
}
