import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { isLargeShare, type Overdue } from '#platform/jobs/maintenance-clock.ts'
import { removeBinned } from '../model/bin-store.ts'
import type { TracksTables } from '../model/tables.ts'
import { keptSinceMs } from '../model/track-state.ts'
import { type ErasableTrack, type Eraser, eraseTracks, TRACKS_PER_STEP } from './erase-tracks.ts'
import type { ErasuresStore } from './store.ts'

const DAY_MS = 86_400_000

/**
 * Erases the tracks that events have kept for as long as they may. There is one receipt for an event and a day.
 * Instances that do so at the same time share the work: a track is locked, and judged again, before it is erased.
 */
export async function eraseOverdueTracks({ db, store, outbox, onErased, now }: Eraser): Promise<void> {
  for (const { id: eventId, retention_days } of await eventsWithRetention(db)) {
    const nowMs = now()
    const beforeMs = nowMs - retention_days! * DAY_MS
    const isMeant = (track: ErasableTrack) => keptSinceMs(track) <= beforeMs
    for (;;) {
      const ids = await findOverdue(db, eventId, beforeMs)
      if (ids.length === 0) break
      const id = await beginReceipt(store, eventId, nowMs)
      const step = { eventId, ids, isMeant, outbox, nowMs }
      const erased = await store.step(id, (transaction) => eraseTracks(transaction, step))
      await store.finish(id, now())
      onErased?.(eventId)
      if (erased?.tables.tracks === undefined) break
    }
    await removeBinned(db, (binned) => binned.where('event_id', '=', eventId).where('kept_since', '<=', beforeMs))
  }
}

/** Counts the tracks that would be erased now. They are many if they are a large share of those of one event. */
export async function countOverdueTracks(db: Kysely<TracksTables>, nowMs: number): Promise<Overdue> {
  const overdue: Overdue = { count: 0, isLarge: false }
  for (const { id, retention_days } of await eventsWithRetention(db)) {
    const { tracks, old } = await db
      .selectFrom('tracks')
      .select((all) => [
        all.fn.countAll<number>().as('tracks'),
        all.fn
          .countAll<number>()
          .filterWhere(isOverdue(nowMs - retention_days! * DAY_MS))
          .as('old'),
      ])
      .where('event_id', '=', id)
      .executeTakeFirstOrThrow()
    overdue.count += Number(old)
    overdue.isLarge ||= isLargeShare(Number(old), Number(tracks))
  }
  return overdue
}

async function eventsWithRetention(db: Kysely<TracksTables>) {
  return await db
    .selectFrom('events')
    .select(['id', 'retention_days'])
    .where('retention_days', 'is not', null)
    // Events in the bin do not keep tracks for longer.
    .where((is) => is.or([is('deleted_at', 'is', null), is('binned_at', 'is not', null)]))
    .execute()
}

/** Is the condition of `keptSinceMs` in SQL. */
function isOverdue(beforeMs: number) {
  return sql<boolean>`created_at <= ${beforeMs}
    and (coalesce(end_ms, last_point_ms, start_ms) <= ${beforeMs} or updated_at <= ${beforeMs})`
}

/** Counts the tracks of an event that would be erased now if it kept them for this many days. */
export async function countOverdue(
  db: Kysely<TracksTables>,
  eventId: string,
  retentionDays: number,
  nowMs: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('event_id', '=', eventId)
    .where(isOverdue(nowMs - retentionDays * DAY_MS))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function findOverdue(db: Kysely<TracksTables>, eventId: string, beforeMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where('event_id', '=', eventId)
    .where(isOverdue(beforeMs))
    .limit(TRACKS_PER_STEP)
    .execute()
  return rows.map(({ id }) => id)
}

/** Begins the receipt of an event for a day, which all instances name alike. */
async function beginReceipt(store: ErasuresStore, eventId: string, nowMs: number): Promise<string> {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const digits = createHash('sha256').update(`${eventId} ${day}`).digest('hex').slice(0, 32)
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const nobody = { user_id: null, person_mac: null, sealed_key: null, requested_by: null }
  await store.begin({ ...nobody, id, kind: 'retention', event_id: eventId, started_at: nowMs, finished_at: nowMs })
  return id
}
