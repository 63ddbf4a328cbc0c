import { type Kysely, sql } from 'kysely'
import { changeTogether, inTransaction } from '#platform/database/transaction.ts'
import type { TracksTables } from '../model/tables.ts'
import { eventExists } from '../points/storage/track-changes.ts'

/** The frames of an event for viewers with one delay. */
export type SeriesKey = { eventId: string; delaySec: number }

/** Returns a name of its own for each series. */
export function nameOfSeries({ eventId, delaySec }: SeriesKey): string {
  return `${delaySec} ${eventId}`
}

/** Returns the series of a name. */
export function seriesNamed(name: string): SeriesKey {
  const at = name.indexOf(' ')
  return { eventId: name.slice(at + 1), delaySec: Number(name.slice(0, at)) }
}

/** A series as stored. */
export type SeriesRow = TracksTables['live_series']

/** A frame that was made. At least one of `changes` and `whole` is there. */
export type MadeFrame = {
  number: number
  key: number
  asOfMs: number
  intervalMs: number
  changes: Uint8Array | null
  whole: Uint8Array | null
}

/** A stored frame without its bytes. */
export type ListedFrame = Pick<TracksTables['live_frames'], 'number' | 'as_of_ms' | 'interval_ms'>

/** Earlier frames that are kept, by their numbers: two minutes. A key frame is never older. */
const KEPT_NUMBERS = 60

/** Frames of live views in storage that all instances share. */
export type FramesStore = ReturnType<typeof createFramesStore>

/** Creates the store. */
export function createFramesStore(db: Kysely<TracksTables>) {
  return { ...createSeriesStore(db), ...createStoredFrames(db) }
}

/** The series, each with the one instance that makes its frames: its owner. */
function createSeriesStore(db: Kysely<TracksTables>) {
  const seriesOf = ({ eventId, delaySec }: SeriesKey) =>
    db.updateTable('live_series').where('event_id', '=', eventId).where('delay_sec', '=', delaySec)

  return {
    async find({ eventId, delaySec }: SeriesKey): Promise<SeriesRow | undefined> {
      return await db
        .selectFrom('live_series')
        .selectAll()
        .where('event_id', '=', eventId)
        .where('delay_sec', '=', delaySec)
        .executeTakeFirst()
    },

    /**
     * Adds a series without an owner, unless it is there, or the event is gone. Its numbers follow those of the event's
     * other series.
     */
    async create({ eventId, delaySec }: SeriesKey): Promise<void> {
      if (!(await eventExists(db, eventId))) return
      const { number } = await db
        .selectFrom('live_series')
        .select(({ fn }) => fn.max<number | null>('number').as('number'))
        .where('event_id', '=', eventId)
        .executeTakeFirstOrThrow()
      const row = { event_id: eventId, delay_sec: delaySec, owner: null, beat: 0, epoch: 0, key_number: null }
      await db
        .insertInto('live_series')
        .values({ ...row, number: Number(number ?? 0) })
        .onConflict((conflict) => conflict.columns(['event_id', 'delay_sec']).doNothing())
        .execute()
    },

    /**
     * Makes an instance the owner of a series that nobody has changed since it was read.
     * @returns false if somebody has
     */
    async take(key: SeriesKey, { beat }: SeriesRow, owner: string): Promise<boolean> {
      const { numUpdatedRows } = await seriesOf(key)
        .set({ owner, beat: beat + 1 })
        .where('beat', '=', beat)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Gives a sign of life. @returns false if the series has another owner by now */
    async beat(key: SeriesKey, owner: string): Promise<boolean> {
      const { numUpdatedRows } = await seriesOf(key)
        .set({ beat: sql<number>`beat + 1` })
        .where('owner', '=', owner)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Leaves a series to others. Does nothing if it has another owner. */
    async release(key: SeriesKey, owner: string): Promise<void> {
      await seriesOf(key).set({ owner: null, beat: sql<number>`beat + 1` }).where('owner', '=', owner).execute()
    },

    /** Returns all series with the sign of life of their owners. */
    async listSeries(): Promise<(SeriesKey & { beat: number })[]> {
      return await db
        .selectFrom('live_series')
        .select(['event_id as eventId', 'delay_sec as delaySec', 'beat'])
        .execute()
    },
  }
}

/** Thrown to undo a transaction. */
class ClaimRefused extends Error {}

/** The frames. Only the owner of a series can add one, and only with a higher number. */
function createStoredFrames(db: Kysely<TracksTables>) {
  return {
    /**
     * Stores a frame, and removes those that were kept long enough.
     * @returns false, with nothing stored, if the series has another owner, or everything was removed since `epoch`
     */
    async add(key: SeriesKey, owner: string, epoch: number, frame: MadeFrame): Promise<boolean> {
      const { number, asOfMs, intervalMs, changes, whole } = frame
      const place = { event_id: key.eventId, delay_sec: key.delaySec, number }
      try {
        return await inTransaction(db, async (transaction) => {
          const claim = transaction
            .updateTable('live_series')
            .set({ number, key_number: whole === null ? frame.key : number, beat: sql<number>`beat + 1` })
            .where('event_id', '=', key.eventId)
            .where('delay_sec', '=', key.delaySec)
            .where('owner', '=', owner)
            .where('epoch', '=', epoch)
            .where('number', '<', number)
          const add = transaction
            .insertInto('live_frames')
            .values({ ...place, as_of_ms: asOfMs, interval_ms: intervalMs, changes, whole })
            // Another owner may have made it. Then the claim fails, and nothing is kept.
            .onConflict((conflict) => conflict.columns(['event_id', 'delay_sec', 'number']).doNothing())
          const remove = transaction
            .deleteFrom('live_frames')
            .where('event_id', '=', key.eventId)
            .where('delay_sec', '=', key.delaySec)
            .where('number', '<', number - KEPT_NUMBERS)
          const [claimed] = await changeTogether(transaction, [claim, add, remove])
          if (claimed === 0n) throw new ClaimRefused()
          return true
        })
      } catch (error) {
        if (error instanceof ClaimRefused) return false
        throw error
      }
    },

    /** Returns the frames from a number on, in their order, without their bytes. */
    async list({ eventId, delaySec }: SeriesKey, fromNumber: number): Promise<ListedFrame[]> {
      return await db
        .selectFrom('live_frames')
        .select(['number', 'as_of_ms', 'interval_ms'])
        .where('event_id', '=', eventId)
        .where('delay_sec', '=', delaySec)
        .where('number', '>=', fromNumber)
        .orderBy('number')
        .execute()
    },

    /** Returns the bytes of a frame; null for a form that it does not have. */
    async read({ eventId, delaySec }: SeriesKey, number: number) {
      return await db
        .selectFrom('live_frames')
        .select(['changes', 'whole'])
        .where('event_id', '=', eventId)
        .where('delay_sec', '=', delaySec)
        .where('number', '=', number)
        .executeTakeFirst()
    },

    /** Removes the frames of a series. The series stays, with its number. */
    async removeFrames({ eventId, delaySec }: SeriesKey): Promise<void> {
      await db.deleteFrom('live_frames').where('event_id', '=', eventId).where('delay_sec', '=', delaySec).execute()
    },
  }
}
