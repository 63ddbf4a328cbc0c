import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { WebhookOutbox } from '#platform/webhooks/storage/outbox.ts'
import { type ErasableTrack, eraseTracks } from '../storage/erasure/erase-tracks.ts'
import type { ErasuresStore } from '../storage/erasure/erasures-store.ts'
import type { TracksTables } from '../storage/tables.ts'
import { TRACKS_PER_STEP } from './erasures.ts'

const DAY_MS = 86_400_000

type Deps = {
  db: Kysely<TracksTables>
  store: ErasuresStore
  outbox: Pick<WebhookOutbox, 'add'>
  onErased: (eventId: string) => void
  now: () => number
}

/**
 * Erases the tracks that events have kept for as long as they may. There is one receipt for an event and a day.
 * Instances that do so at the same time share the work: a track is locked, and judged again, before it is erased.
 */
export async function eraseOverdueTracks({ db, store, outbox, onErased, now }: Deps): Promise<void> {
  const events = await db
    .selectFrom('events')
    .select(['id', 'retention_days'])
    .where('retention_days', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { id: eventId, retention_days } of events) {
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
      onErased(eventId)
      if (erased?.tables.tracks === undefined) break
    }
  }
}

/**
 * Returns the time from which the days of a track count: its end, or its arrival if that was later, because
 * an old recording must not vanish as it is imported. An end in the future, of a phone whose clock is
 * wrong, counts as that of the last change.
 */
export function keptSinceMs({ created_at, updated_at, end_ms, last_point_ms, start_ms }: ErasableTrack): number {
  return Math.max(created_at, Math.min(end_ms ?? last_point_ms ?? start_ms, updated_at))
}

/** Finds tracks by the condition of `keptSinceMs`. */
async function findOverdue(db: Kysely<TracksTables>, eventId: string, beforeMs: number): Promise<string[]> {
  const ended = sql<boolean>`(coalesce(end_ms, last_point_ms, start_ms) <= ${beforeMs} or updated_at <= ${beforeMs})`
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where('event_id', '=', eventId)
    .where('created_at', '<=', beforeMs)
    .where(ended)
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
