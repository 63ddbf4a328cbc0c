import type { Kysely, Transaction } from 'kysely'
import { momentOrNull } from '#platform/basics/time.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { ErasureRow, TracksTables } from '../model/tables.ts'
import type { ErasureReceipt, RemainingPlace } from './schemas.ts'

/** A position in the list: the last receipt on the page before. */
export type ErasureCursor = { startedMs: number; id: string }

/** Receipts of erasures. Those in progress are the jobs, too, so that an interrupted one is continued. */
export type ErasuresStore = ReturnType<typeof createErasuresStore>

export function createErasuresStore(db: Kysely<TracksTables>) {
  return {
    /** Adds an erasure, unless there is one with its id. */
    async begin(row: Omit<ErasureRow, 'erased'>): Promise<void> {
      await db
        .insertInto('erasures')
        .values({ ...row, erased: JSON.stringify(NOTHING_ERASED) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    /**
     * Runs one step and adds what it erased to the receipt, in one transaction. Instances that do so at the same time
     * wait for each other, so nothing is counted twice.
     * @returns what was erased; undefined if the erasure of a person has ended
     */
    async step(
      id: string,
      work: (transaction: Transaction<TracksTables>) => Promise<ErasedCounts>,
    ): Promise<ErasedCounts | undefined> {
      return await inTransaction(db, async (transaction) => {
        const row = await transaction
          .selectFrom('erasures')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined || (row.kind === 'person' && row.finished_at !== null)) return undefined
        const counts = await work(transaction)
        const erased = JSON.stringify(addCounts(JSON.parse(row.erased) as ErasedCounts, counts))
        await transaction.updateTable('erasures').set({ erased }).where('id', '=', id).execute()
        return counts
      })
    },

    /** Ends an erasure, and forgets whose it was. */
    async finish(id: string, nowMs: number): Promise<void> {
      await db.updateTable('erasures').set({ finished_at: nowMs, user_id: null }).where('id', '=', id).execute()
    },

    /** Returns the erasure that a person has asked for and that has not begun; undefined without one. */
    async findRequest(userId: string, eventId: string, nowMs: number): Promise<ErasureRow | undefined> {
      const query = db.selectFrom('erasures').selectAll().where('event_id', '=', eventId).where('user_id', '=', userId)
      return await query.where('started_at', '>', nowMs).orderBy('started_at').executeTakeFirst()
    },

    /** Removes the erasures that a person has asked for and that have not begun; null stands for all events. */
    async removeRequests(userId: string, eventId: string | null, nowMs: number): Promise<void> {
      let query = db.deleteFrom('erasures').where('user_id', '=', userId).where('started_at', '>', nowMs)
      if (eventId !== null) query = query.where('event_id', '=', eventId)
      await query.execute()
    },

    async find(id: string): Promise<ErasureRow | undefined> {
      return await db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** Returns receipts, newest first. */
    async list(after: ErasureCursor | undefined, limit: number): Promise<ErasureRow[]> {
      let query = db.selectFrom('erasures').selectAll()
      if (after !== undefined) {
        query = query
          .where('started_at', '<=', after.startedMs)
          .where((or) => or.or([or('started_at', '<', after.startedMs), or('id', '<', after.id)]))
      }
      return await query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },

    /** Returns erasures that have begun by now and have not ended. */
    async unfinished(nowMs: number): Promise<ErasureRow[]> {
      return await db
        .selectFrom('erasures')
        .selectAll()
        .where('finished_at', 'is', null)
        .where('started_at', '<=', nowMs)
        .orderBy('started_at')
        .execute()
    },
  }
}

/** The amounts that were erased, or would be. */
export type ErasedCounts = {
  /** Rows by table. Tables without any are absent. */
  tables: Partial<Record<keyof TracksTables, number>>
  points: number
  /** From the start of the earliest track to the last point or end of the latest; null without tracks. */
  fromMs: number | null
  untilMs: number | null
  /** The events that something was erased of. */
  eventIds: readonly string[]
}

export const NOTHING_ERASED: ErasedCounts = { tables: {}, points: 0, fromMs: null, untilMs: null, eventIds: [] }

/** Returns the counts of both. */
export function addCounts(one: ErasedCounts, other: ErasedCounts): ErasedCounts {
  const tables = { ...one.tables }
  for (const [name, rows] of Object.entries(other.tables) as [keyof TracksTables, number][])
    if (rows > 0) tables[name] = (tables[name] ?? 0) + rows
  return {
    tables,
    points: one.points + other.points,
    fromMs: extreme(Math.min, one.fromMs, other.fromMs),
    untilMs: extreme(Math.max, one.untilMs, other.untilMs),
    eventIds: [...new Set([...one.eventIds, ...other.eventIds])],
  }
}

/** Counts rows of one table in an event. */
export function rowsErased(eventId: string, table: keyof TracksTables, rows: number): ErasedCounts {
  return rows === 0 ? NOTHING_ERASED : { ...NOTHING_ERASED, tables: { [table]: rows }, eventIds: [eventId] }
}

type TrackFacts = { point_count: number; start_ms: number; end_ms: number | null; last_point_ms: number | null }

/** Returns points and times of tracks, without their rows. */
export function factsOfTracks(tracks: readonly TrackFacts[]): ErasedCounts {
  return tracks.reduce(
    (sum, { point_count, start_ms, end_ms, last_point_ms }) =>
      addCounts(sum, {
        ...NOTHING_ERASED,
        points: point_count,
        fromMs: start_ms,
        untilMs: Math.max(start_ms, end_ms ?? start_ms, last_point_ms ?? start_ms),
      }),
    NOTHING_ERASED,
  )
}

function extreme(of: (one: number, other: number) => number, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return of(one, other)
}

const REMAINS: Record<RemainingPlace, string> = {
  backups: 'Backups from before the erasure have the data until they are deleted.',
  upgrade_copies: 'Copies in DATA_DIR/before-upgrade have the data until later upgrades replace them.',
  database_log:
    'SQLite overwrites the data in its files with the next upkeep, within about an hour. PostgreSQL keeps it in dead rows until a vacuum, and in its write-ahead log until that is recycled or archived copies expire.',
  audit_log:
    'The audit log has the names and ids of what operators have changed, such as the title of a track or the name on a token, until its retention removes them.',
  proxy_logs: 'Access logs of a proxy may have addresses of tracks, and shares if they are not shortened.',
  webhook_receivers: 'Receivers of webhooks have what they were sent. They were told the ids of deleted tracks.',
  downloads: 'Exports, results and start lists that somebody has downloaded or printed are out of reach.',
}

/** Represents the data of a person that an erasure would remove. */
export function erasurePreviewJson({
  tables,
  points,
  fromMs,
  untilMs,
  eventIds,
}: ErasedCounts): ErasureReceipt['erased'] {
  return {
    tracks: tables.tracks ?? 0,
    points,
    from: momentOrNull(fromMs),
    until: momentOrNull(untilMs),
    event_ids: [...eventIds],
    tables: Object.entries(tables).map(([table, rows]) => ({ table, rows })),
  }
}

/** Represents the receipt of an erasure, without the key of its mark. */
export function erasureReceiptJson(row: ErasureRow): ErasureReceipt {
  return {
    id: row.id,
    kind: row.kind,
    event_id: row.event_id,
    person: row.person_mac,
    requested_by: row.requested_by,
    started_at: momentOrNull(row.started_at)!,
    finished_at: momentOrNull(row.finished_at),
    erased: erasurePreviewJson(JSON.parse(row.erased) as ErasedCounts),
    remains: (Object.entries(REMAINS) as [RemainingPlace, string][]).map(([place, note]) => ({ place, note })),
  }
}
