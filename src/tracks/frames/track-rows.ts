import { type Kysely, sql } from 'kysely'
import type { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import { MAX_COARSE_LAG_MS, type TracksTables } from '../model/tables.ts'
import { SHOWN_COLUMNS, type ShownTrackRow } from '../model/track-rows.ts'
import { findActive, findBegun, findPast } from '../points/storage/track-changes.ts'
import type { DelayedEnds } from '../shares/delayed-ends.ts'
import { delayedColumns } from '../shares/spectator-delay.ts'

/** A track as frames need it. All other columns, two thirds of a row, are read by nobody here. */
export type FrameRow = ShownTrackRow

/** Rows that are read at once. */
const ROWS_PER_READ = 100

/** The same division into present and past as in the snapshots of streams. */
const ACTIVE_MS = 3_600_000
const OPEN_MS = 86_400_000
const MAX_PAST_TRACKS = 5000

/**
 * Tracks of an event that one query compares, a few microseconds each: the index has coarse times, so that the rows of
 * all tracks in progress are looked at. Between two queries, other requests are answered.
 */
const TRACKS_PER_QUERY = 400

/** Says which tracks of an event may have changed. `isRead` tells whether a track has been read as of that change. */
type Changes = {
  sinceMs: number
  isRead: (id: string, updatedAt: number) => boolean
}

/**
 * Returns the tracks of an event that have changed since a time and have not been read. Most of them are known: reading
 * reaches back. So an index gives their ids alone, and the others are read by them. It is read in parts of as many
 * tracks, not of as much time: those of a race have all begun at once.
 */
export async function findChangedRows(
  db: Kysely<TracksTables>,
  eventId: string,
  { sinceMs, isRead }: Changes,
  slices: ShortSlices,
): Promise<FrameRow[]> {
  // A track that changes meanwhile may be found twice: its coarse time moves behind all others.
  const ids = new Set<string>()
  let from: Place | undefined = { coarse_updated_at: sinceMs - MAX_COARSE_LAG_MS, id: '' }
  while (from !== undefined) {
    const after = from
    const until = await endOfPart(db, eventId, after)
    const changed = db
      .selectFrom('tracks')
      .select(['id', 'updated_at'])
      .where('event_id', '=', eventId)
      .where('updated_at', '>', sinceMs)
      .where(isBeyond(after))
      .$if(until !== undefined, (query) => query.where(isUpTo(until!)))
    for (const { id, updated_at } of await changed.execute()) if (!isRead(id, updated_at)) ids.add(id)
    await slices.next()
    from = until
  }
  return await readRows(db, [...ids], slices)
}

/** A track's place in the index of changes. */
type Place = { coarse_updated_at: number; id: string }

function isBeyond({ coarse_updated_at, id }: Place) {
  return sql<boolean>`(coarse_updated_at, id) > (${coarse_updated_at}, ${id})`
}

function isUpTo({ coarse_updated_at, id }: Place) {
  return sql<boolean>`(coarse_updated_at, id) <= (${coarse_updated_at}, ${id})`
}

/** Returns the last place of the part that follows a place; undefined for the last part. */
async function endOfPart(db: Kysely<TracksTables>, eventId: string, after: Place): Promise<Place | undefined> {
  return await db
    .selectFrom('tracks')
    .select(['coarse_updated_at', 'id'])
    .where('event_id', '=', eventId)
    .where(isBeyond(after))
    .orderBy('coarse_updated_at')
    .orderBy('id')
    .offset(TRACKS_PER_QUERY - 1)
    .limit(1)
    .executeTakeFirst()
}

async function readRows(db: Kysely<TracksTables>, ids: readonly string[], slices: ShortSlices): Promise<FrameRow[]> {
  const rows: FrameRow[] = []
  for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
    const some = ids.slice(start, start + ROWS_PER_READ)
    rows.push(...(await db.selectFrom('tracks').select(SHOWN_COLUMNS).where('id', 'in', some).execute()))
    await slices.next()
  }
  return rows
}

/**
 * Returns the tracks that a series begins with: those of the present, and the newest of the past.
 * @param untilMs time up to which viewers see the event; Infinity without a delay
 */
export async function findFirstRows(
  db: Kysely<TracksTables>,
  eventId: string,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
  slices: ShortSlices,
): Promise<{ rows: FrameRow[]; leftOut: number }> {
  const { ids, leftOut } = Number.isFinite(untilMs)
    ? await idsBegun(db, eventId, nowMs, untilMs)
    : await idsNow(db, eventId, nowMs, slices)
  return { rows: await readRows(db, ids, slices), leftOut }
}

async function idsNow(db: Kysely<TracksTables>, eventId: string, nowMs: number, slices: ShortSlices) {
  const since = { stoppedMs: nowMs - ACTIVE_MS, openMs: nowMs - OPEN_MS }
  // A track may go on between two queries.
  const ids = new Set<string>()
  let part: Awaited<ReturnType<typeof findActive>> = []
  do {
    part = await findActive(db, eventId, since, { after: part.at(-1), limit: TRACKS_PER_QUERY })
    for (const { id } of part) ids.add(id)
    await slices.next()
  } while (part.length === TRACKS_PER_QUERY)
  const past = await findPast(db, eventId, since, MAX_PAST_TRACKS)
  for (const { id } of past.tracks) ids.add(id)
  return { ids: [...ids], leftOut: past.leftOut }
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

/** A track of a series that has been read. */
export type ReadTrack = {
  /** Place in the series; undefined while the track is not visible. */
  place: number | undefined
  updatedAt: number
  endMs: number | undefined
  /** The stored row while a delay holds something of it back. */
  held: FrameRow | undefined
}

const FIRST_CAPACITY = 64
const NO_PLACE = -1

/** The tracks of a series that have been read, by their ids: 20 bytes each besides the id and its entry. */
export class ReadTracks {
  readonly #indexes = new Map<string, number>()
  readonly #held = new Map<string, FrameRow>()
  #updatedAt = new Float64Array(FIRST_CAPACITY)
  #endMs = new Float64Array(FIRST_CAPACITY)
  #places = new Int32Array(FIRST_CAPACITY)

  get size(): number {
    return this.#indexes.size
  }

  find(id: string): ReadTrack | undefined {
    const i = this.#indexes.get(id)
    if (i === undefined) return undefined
    const place = this.#places[i] === NO_PLACE ? undefined : this.#places[i]
    const endMs = Number.isNaN(this.#endMs[i]) ? undefined : this.#endMs[i]
    return { place, updatedAt: this.#updatedAt[i], endMs, held: this.#held.get(id) }
  }

  /** Returns the time of the change as of which a track has been read; undefined if it has not been. */
  updatedAt(id: string): number | undefined {
    const i = this.#indexes.get(id)
    return i === undefined ? undefined : this.#updatedAt[i]
  }

  set(id: string, { place = NO_PLACE, updatedAt, endMs = Number.NaN, held }: ReadTrack): void {
    const i = this.#indexes.get(id) ?? this.#indexes.size
    if (i === this.#indexes.size) this.#indexes.set(id, i)
    if (i === this.#places.length) this.#grow()
    this.#places[i] = place
    this.#updatedAt[i] = updatedAt
    this.#endMs[i] = endMs
    if (held === undefined) this.#held.delete(id)
    else this.#held.set(id, held)
  }

  /** Returns the rows of which something is held back. */
  held(): FrameRow[] {
    return [...this.#held.values()]
  }

  #grow(): void {
    const grown = <Column extends Float64Array | Int32Array>(column: Column, larger: Column) => {
      larger.set(column)
      return larger
    }
    const capacity = this.#places.length + Math.ceil(this.#places.length / 4)
    this.#updatedAt = grown(this.#updatedAt, new Float64Array(capacity))
    this.#endMs = grown(this.#endMs, new Float64Array(capacity))
    this.#places = grown(this.#places, new Int32Array(capacity))
  }
}
