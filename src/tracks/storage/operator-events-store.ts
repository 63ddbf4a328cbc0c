import type { Kysely, Updateable } from 'kysely'
import type { OperatorReach } from '#platform/http/operators/operator-access.ts'
import type { EventRow, TracksTables } from './tables.ts'

/** Current counts of an event. */
type EventCounts = { tracks: number; runningTracks: number; points: number; lastPointMs: number | null }

export type CountedEvent = { event: EventRow; counts: EventCounts }

/** Events with their counts, for operators. */
export type OperatorEventsStore = {
  /** Returns the events within reach, newest first. */
  list(reach: OperatorReach): Promise<CountedEvent[]>
  find(id: string): Promise<CountedEvent | undefined>
  /** @returns false if there is no such event. */
  change(id: string, changes: Omit<Updateable<EventRow>, 'id'>): Promise<boolean>
}

const NOTHING: EventCounts = { tracks: 0, runningTracks: 0, points: 0, lastPointMs: null }

/** A point may be this far ahead of the server's clock. Those of a phone whose clock is wrong by years tell no time. */
const MAX_AHEAD_MS = 5 * 60_000

export function createOperatorEventsStore(db: Kysely<TracksTables>, now: () => number): OperatorEventsStore {
  const existing = () => db.selectFrom('events').selectAll().where('deleted_at', 'is', null)

  return {
    async list(reach) {
      const ids = reach === 'everything' ? undefined : [...reach]
      if (ids?.length === 0) return []
      const events = await existing()
        .$if(ids !== undefined, (query) => query.where('id', 'in', ids!))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      const counts = await countTracks(db, now() + MAX_AHEAD_MS, ids)
      return events.map((event) => ({ event, counts: counts.get(event.id) ?? NOTHING }))
    },

    async find(id) {
      const event = await existing().where('id', '=', id).executeTakeFirst()
      if (event === undefined) return undefined
      return { event, counts: (await countTracks(db, now() + MAX_AHEAD_MS, [id])).get(id) ?? NOTHING }
    },

    async change(id, changes) {
      const { numUpdatedRows } = await db
        .updateTable('events')
        .set(changes)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
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
