import type { Kysely, Transaction, Updateable } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import type { OperatorReach } from '#platform/credentials/operator-access.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { deleteWebhooksOf } from '#platform/webhooks/endpoints-store.ts'
import { binTokens, removeBinned } from './bin-store.ts'
import { eventNotFound } from './errors.ts'
import { forgetFrames } from './frame-tables.ts'
import type { EventRow, TracksTables } from './tables.ts'
import { removeContents, TRACKS_PER_STEP } from './track-rows.ts'

export type EventsStore = ReturnType<typeof createEventsStore>

export function createEventsStore(db: Kysely<TracksTables>) {
  return {
    async find(id: string): Promise<EventRow | undefined> {
      return await db
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },

    /** @throws eventNotFound */
    async get(id: string): Promise<EventRow> {
      const event = await this.find(id)
      if (event === undefined) throw eventNotFound()
      return event
    },

    /** Returns true if there has never been an event. */
    async isEmpty(): Promise<boolean> {
      return (await db.selectFrom('events').select('id').limit(1).executeTakeFirst()) === undefined
    },

    /**
     * Deletes the event for all readers, with its tokens and shares; a copy also ends as the rehearsal that it is. Its
     * tracks can be many and are removed separately.
     * @throws eventNotFound
     */
    async end(id: string, nowMs: number): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await markDeleted(transaction, id, { deleted_at: nowMs })
        await transaction.deleteFrom('rehearsals').where('event_id', '=', id).execute()
        await transaction.deleteFrom('app_tokens').where('event_id', '=', id).execute()
        await transaction.deleteFrom('shares').where('event_id', '=', id).execute()
        await deleteWebhooksOf(transaction, id)
        await forgetFrames(transaction, id)
      })
    },

    /** Puts the event into the bin: it is deleted for all readers, and can be restored. @throws eventNotFound */
    async bin(id: string, nowMs: number): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await markDeleted(transaction, id, { deleted_at: nowMs, binned_at: nowMs })
        await binTokens(transaction, id)
        await forgetFrames(transaction, id)
      })
    },

    /** Returns the ids of deleted events whose tracks are not yet all removed. */
    async ended(): Promise<string[]> {
      const rows = await db
        .selectFrom('events')
        .select('id')
        .where('deleted_at', 'is not', null)
        .where('binned_at', 'is', null)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

/** @throws eventNotFound */
async function markDeleted(
  transaction: Transaction<TracksTables>,
  id: string,
  times: { deleted_at: number; binned_at?: number },
): Promise<void> {
  if (!(await changeEvent(transaction, id, times))) throw eventNotFound()
}

/** Changes an event that is not deleted. @returns false if there is none */
async function changeEvent(db: Kysely<TracksTables>, id: string, changes: EventChanges): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('events')
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type EventChanges = Omit<Updateable<EventRow>, 'id'>

/**
 * Locks an event, so that a deletion under way does not leave new tokens or webhooks behind, that of two lists with the
 * same person one adds a token, and that of two webhooks for the last place one gets it.
 * @returns false if there is no such event
 */
export async function lockEvent(transaction: Transaction<TracksTables>, eventId: string): Promise<boolean> {
  const event = await transaction
    .selectFrom('events')
    .select('id')
    .where('id', '=', eventId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return event !== undefined
}

/** Live views of events. They check whether their viewers may still watch. */
export type EventViews = {
  /** Ends the streams of viewers that lost access. To be called when the event, a track or a share has ended. */
  check(eventId: string): void
  /** Number of times that access may have ended. Whoever remembers what is open asks again once it has grown. */
  readonly checks: number
}

/** Current counts of an event. */
type EventCounts = { tracks: number; runningTracks: number; points: number; lastPointMs: number | null }

export type CountedEvent = { event: EventRow; counts: EventCounts }

/** Events with their counts, for operators. */
export type OperatorEventsStore = ReturnType<typeof createOperatorEventsStore>

const NOTHING: EventCounts = { tracks: 0, runningTracks: 0, points: 0, lastPointMs: null }

/** A point may be this far ahead of the server's clock. A phone whose clock is wrong by years tells no time. */
const MAX_AHEAD_MS = 5 * 60_000

export function createOperatorEventsStore(db: Kysely<TracksTables>, now: () => number) {
  const existing = () => db.selectFrom('events').selectAll().where('deleted_at', 'is', null)

  return {
    /** Returns the events within reach, newest first, and no rehearsals. */
    async list(reach: OperatorReach): Promise<CountedEvent[]> {
      const ids = reach === 'everything' ? undefined : [...reach]
      if (ids?.length === 0) return []
      const events = await existing()
        .$if(ids !== undefined, (query) => query.where('id', 'in', ids!))
        .where('rehearsal_of', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      const counts = await countTracks(db, now() + MAX_AHEAD_MS, ids)
      return events.map((event) => ({ event, counts: counts.get(event.id) ?? NOTHING }))
    },

    /** @throws eventNotFound */
    async get(id: string): Promise<CountedEvent> {
      const event = await existing().where('id', '=', id).executeTakeFirst()
      if (event === undefined) throw eventNotFound()
      return { event, counts: (await countTracks(db, now() + MAX_AHEAD_MS, [id])).get(id) ?? NOTHING }
    },

    /** @returns false if there is no such event. */
    async change(id: string, changes: EventChanges): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        const isChanged = await changeEvent(transaction, id, changes)
        if ('spectator_delay_sec' in changes) await forgetFrames(transaction, id)
        return isChanged
      })
    },
  }
}

/** Counts the tracks of all events, or of some, in one pass. Points later than `latestMs` tell no time. */
async function countTracks(
  db: Kysely<TracksTables>,
  latestMs: number,
  eventIds?: readonly string[],
): Promise<Map<string, EventCounts>> {
  const rows = await db
    .selectFrom('tracks')
    .select(({ fn, eb }) => [
      'event_id',
      fn.countAll<number>().as('tracks'),
      fn.sum<number>(eb.case().when('state', '=', 'running').then(1).else(0).end()).as('running'),
      fn.sum<number>('point_count').as('points'),
      fn
        .max<number | null>(eb.case().when('last_point_ms', '<=', latestMs).then(eb.ref('last_point_ms')).end())
        .as('last_ms'),
    ])
    .$if(eventIds !== undefined, (query) => query.where('event_id', 'in', eventIds!))
    .groupBy('event_id')
    .execute()
  return new Map(
    rows.map(({ event_id, tracks, running, points, last_ms }) => [
      event_id,
      { tracks: Number(tracks), runningTracks: Number(running), points: Number(points), lastPointMs: last_ms },
    ]),
  )
}

/** Tables whose rows of an event go with it. */
const OF_EVENT = [
  'device_tracks',
  'deleted_tracks',
  'shares',
  'runners',
  'runner_times',
  'phone_recordings',
  'phone_devices',
  'races',
  'live_frames',
  'live_series',
] as const

/**
 * Begins to remove the tracks of a deleted event, which takes up to minutes. The service resumes it after an
 * interruption.
 */
export function beginDeletingTracks({ db, logger }: { db: Kysely<TracksTables>; logger: Logger }, eventId: string) {
  deleteTracksOfEvent(db, eventId).catch((err) =>
    logger.warn({ err, eventId }, 'removing the tracks of a deleted event failed'),
  )
}

/**
 * Removes the tracks of a deleted event step by step, and the event's row last. After an interruption the
 * row shows that tracks are left to remove.
 */
export async function deleteTracksOfEvent(db: Kysely<TracksTables>, eventId: string): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('tracks')
      .select('id')
      .where('event_id', '=', eventId)
      .limit(TRACKS_PER_STEP)
      .execute()
    if (rows.length === 0) break
    const ids = rows.map(({ id }) => id)
    await inTransaction(db, async (transaction) => {
      // Before the chunks: a concurrent append either commits before the chunks are removed, or finds no track.
      await transaction.deleteFrom('tracks').where('id', 'in', ids).execute()
      await removeContents(transaction, ids)
      await transaction.deleteFrom('followed_tracks').where('track_id', 'in', ids).execute()
    })
  }
  await removeBinned(db, (binned) => binned.where('event_id', '=', eventId))
  await db.deleteFrom('idempotency_keys').where('owner_id', '=', eventId).execute()
  for (const table of OF_EVENT) await db.deleteFrom(table).where('event_id', '=', eventId).execute()
  await inTransaction(db, (transaction) => deleteWebhooksOf(transaction, eventId))
  await db.deleteFrom('events').where('id', '=', eventId).execute()
}
