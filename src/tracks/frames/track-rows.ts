import type { Kysely } from 'kysely'
import { MAX_COARSE_LAG_MS, type TrackHeadRow, type TracksTables } from '../model/tables.ts'
import { findActive, findBegun, findPast } from '../points/storage/track-changes.ts'
import type { DelayedEnds } from '../shares/delayed-ends.ts'
import { delayedColumns } from '../shares/spectator-delay.ts'

/** Columns of a track that frames are made from. All others are read by nobody here, two thirds of a row. */
const COLUMNS = [
  'id',
  'title',
  'activity_type',
  'state',
  'start_ms',
  'end_ms',
  'stopped_at',
  'resumed_at',
  'updated_at',
  'pauses',
  'revision',
  'point_count',
  'last_point_ms',
  'shown_from_ms',
  'shown_until_ms',
] as const satisfies (keyof TrackHeadRow)[]

/** A track as frames need it. */
export type FrameRow = Pick<TrackHeadRow, (typeof COLUMNS)[number]>

/** Rows that are read at once. */
const ROWS_PER_READ = 500

/** The same division into present and past as in the snapshots of streams. */
const ACTIVE_MS = 3_600_000
const OPEN_MS = 86_400_000
const MAX_PAST_TRACKS = 5000

/** Returns the tracks of an event that have changed since a time, by an index and with all columns at once. */
export async function findChangedRows(db: Kysely<TracksTables>, eventId: string, sinceMs: number): Promise<FrameRow[]> {
  return await db
    .selectFrom('tracks')
    .select(COLUMNS)
    .where('event_id', '=', eventId)
    .where('updated_at', '>', sinceMs)
    .where('coarse_updated_at', '>', sinceMs - MAX_COARSE_LAG_MS)
    .execute()
}

/**
 * Returns the tracks that a series begins with: those of the present, and the newest of the past.
 * @param untilMs time up to which viewers see the event; Infinity without a delay
 */
export async function findFirstRows(
  db: Kysely<TracksTables>,
  eventId: string,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<{ rows: FrameRow[]; leftOut: number }> {
  const { ids, leftOut } = Number.isFinite(untilMs)
    ? await idsBegun(db, eventId, nowMs, untilMs)
    : await idsNow(db, eventId, nowMs)
  const rows: FrameRow[] = []
  for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
    const some = ids.slice(start, start + ROWS_PER_READ)
    rows.push(...(await db.selectFrom('tracks').select(COLUMNS).where('id', 'in', some).execute()))
  }
  return { rows, leftOut }
}

async function idsNow(db: Kysely<TracksTables>, eventId: string, nowMs: number) {
  const since = { stoppedMs: nowMs - ACTIVE_MS, openMs: nowMs - OPEN_MS }
  const active = await findActive(db, eventId, since)
  const past = await findPast(db, eventId, since, MAX_PAST_TRACKS)
  // A track may go on between the two queries.
  return { ids: [...new Set([...active, ...past.tracks].map(({ id }) => id))], leftOut: past.leftOut }
}

/** Tracks that begin within the delay are among them. They are held back, and come into view without another change. */
async function idsBegun(db: Kysely<TracksTables>, eventId: string, nowMs: number, untilMs: number) {
  const limits = { sinceMs: untilMs - OPEN_MS, untilMs: nowMs + OPEN_MS, limit: MAX_PAST_TRACKS }
  const { recent, older, leftOut } = await findBegun(db, eventId, limits)
  return { ids: [...recent, ...older].map(({ id }) => id), leftOut }
}

/** Returns rows as they were at a time, without tracks that had not begun. With an infinite time, as they are. */
export async function rowsAt(
  delayedEnds: DelayedEnds,
  rows: readonly FrameRow[],
  untilMs: number,
): Promise<FrameRow[]> {
  if (!Number.isFinite(untilMs)) return [...rows]
  const begun = rows.filter(({ start_ms }) => start_ms <= untilMs)
  const ends = await delayedEnds(begun, untilMs)
  return begun.map((row) => ({ ...row, ...delayedColumns(row, untilMs, ends.get(row.id)!) }))
}
