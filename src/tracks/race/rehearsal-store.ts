import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { courseMissing, isRehearsal, rehearsalExists, startListMissing } from '../model/errors.ts'
import { lockEvent } from '../model/events-store.ts'
import type { EventRow, RaceRow, RehearsalRow, RunnerRow, TracksTables } from '../model/tables.ts'

/** The copy that a rehearsal is. Its race begins when it is made. */
type RehearsalCopy = { id: string; name: string; created_at: number }

export type RehearsalStore = ReturnType<typeof createRehearsalStore>

/** Rows of one statement: each has a value for ten columns. */
const RUNNERS_PER_INSERT = 500

/** Returns the row of a rehearsal that begins, of which no point is stored. */
export function newRehearsal(rehearsed_id: string, { id, created_at }: RehearsalCopy): RehearsalRow {
  return {
    event_id: id,
    rehearsed_id,
    starts_ms: created_at,
    sent_sec: -1,
    stepped_at: created_at,
    ended_at: null,
    owner: null,
    lease_until: 0,
  }
}

/** Rehearsals: copies of events into which phones are simulated. */
export function createRehearsalStore(db: Kysely<TracksTables>) {
  return {
    /** Returns the rehearsal of an event. */
    async find(rehearsedId: string): Promise<RehearsalRow | undefined> {
      return await db.selectFrom('rehearsals').selectAll().where('rehearsed_id', '=', rehearsedId).executeTakeFirst()
    },

    list: (): Promise<RehearsalRow[]> => db.selectFrom('rehearsals').selectAll().execute(),

    /**
     * Copies an event with its course, checkpoints and start list, and begins its rehearsal. The copy has no tokens,
     * shares, webhooks and limits, no delay, and no times that were entered.
     * @throws courseMissing, startListMissing, rehearsalExists, isRehearsal; eventNotFound by the caller's check
     */
    async begin(event: EventRow, race: RaceRow, runners: readonly RunnerRow[], copy: RehearsalCopy): Promise<void> {
      if (event.rehearsal_of !== null) throw isRehearsal()
      if (race.course_line === null) throw courseMissing()
      if (runners.every(({ status }) => status !== null)) throw startListMissing()
      const { id, created_at: startsMs } = copy
      await inTransaction(db, async (transaction) => {
        // The lock lets one of two requests at the same time find the rehearsal of the other.
        await lockEvent(transaction, event.id)
        const known = await transaction
          .selectFrom('rehearsals')
          .select('event_id')
          .where('rehearsed_id', '=', event.id)
          .executeTakeFirst()
        if (known !== undefined) throw rehearsalExists()
        await transaction
          .insertInto('events')
          .values({
            ...copy,
            deleted_at: null,
            rehearsal_of: event.id,
            time_zone: event.time_zone,
            no_signal_after_sec: event.no_signal_after_sec,
            low_battery_percent: event.low_battery_percent,
          })
          .execute()
        const starts_at_ms = race.starts_at_ms === null ? null : startsMs
        await transaction
          .insertInto('races')
          .values({ ...race, event_id: id, starts_at_ms })
          .execute()
        for (let i = 0; i < runners.length; i += RUNNERS_PER_INSERT) {
          const some = runners.slice(i, i + RUNNERS_PER_INSERT).map((runner) => ({ ...runner, event_id: id }))
          await transaction.insertInto('runners').values(some).execute()
        }
        await transaction.insertInto('rehearsals').values(newRehearsal(event.id, copy)).execute()
      })
    },

    /** Takes the next steps of a rehearsal until a time, unless another instance does. @returns false if it does */
    async claim(eventId: string, owner: string, nowMs: number, untilMs: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('rehearsals')
        .set({ owner, lease_until: untilMs })
        .where('event_id', '=', eventId)
        .where((or) => or.or([or('owner', '=', owner), or('lease_until', '<', nowMs)]))
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Notes how far a rehearsal has come, if this instance still takes its steps. */
    async note(eventId: string, owner: string, step: Partial<RehearsalRow>): Promise<void> {
      await db.updateTable('rehearsals').set(step).where('event_id', '=', eventId).where('owner', '=', owner).execute()
    },
  }
}
