import { type ExpressionBuilder, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { createCursorCodec, isCursorText, pageOf } from '#platform/basics/list-cursor.ts'
import { containing, isUuid } from '#platform/basics/text.ts'
import { runnersNamed, withRunnerNames } from './runner-names.ts'
import { MAX_COARSE_LAG_MS, type TrackRow, type TracksTables } from './tables.ts'
import { filtered, SHOWN_COLUMNS, type ShownTrackRow, selectTracks, type TrackFilter } from './track-rows.ts'

export type TrackSort = 'start' | 'title' | 'distance' | 'duration' | 'points' | 'updated'

/** Filters for the tracks of an event. Absent fields do not filter. */
export type TrackSearch = TrackFilter & {
  /** Text folded by `foldText`. */
  text?: string
  /** Runners of whom the name has the text, by their `user_id`, as `narrow` found them. */
  userIds?: readonly string[]
  /** The only tracks that can match, as `narrow` found them. */
  ids?: readonly string[]
}

/** The track after which a page begins: its sort key and its id. */
export type TrackPosition = { key: number | string; id: string }

type TrackPage = {
  sort: TrackSort
  descending: boolean
  after: TrackPosition | undefined
  limit: number
}

/** A track in a list, with its sort key. */
type FoundTrack = TrackRow & { sort_key: number | string; runner_name: string | null }

/** A track with its runner's name, and with name and zone of its event. */
type FoundInEvent = TrackRow & { runner_name: string | null }
type FoundWithEvent = FoundInEvent & { event_name: string; time_zone: string | null }

/** Tracks of all events, for operators. */
export type OperatorTracksStore = ReturnType<typeof createOperatorTracksStore>

const REPLAYED = [...SHOWN_COLUMNS, 'event_id', 'user_id'] as const

/** A track as a replay needs it, and its runner's name. */
export type ReplayedTrack = ShownTrackRow & { event_id: string; user_id: string | null; runner_name: string | null }

/**
 * Matches of a text that are named. A text with more is found early on the way through a list in its order; one
 * with fewer could be found at the very end.
 */
const MAX_NAMED = 500

/** Sort keys, as in the indices. No key is null, so that a page can begin after any track. */
const SORT_KEYS: Record<TrackSort, () => RawBuilder<number | string>> = {
  start: () => sql`start_ms`,
  title: () => sql`substr(coalesce(search_text, ''), 1, 60)`,
  distance: () => sql`coalesce(distance_m, -1)`,
  duration: () => sql`coalesce(end_ms, last_point_ms, start_ms) - start_ms`,
  points: () => sql`point_count`,
  updated: () => sql`updated_at`,
}

export function createOperatorTracksStore(db: Kysely<TracksTables>) {
  return {
    /**
     * Returns the track with its runner's name, and name and zone of its event; undefined also while the event is being
     * deleted.
     */
    async find(id: string): Promise<FoundWithEvent | undefined> {
      if (!isUuid(id)) return undefined
      const [track] = await withRunnerNames(db, await selectTracks(db).where('id', '=', id).execute())
      if (track === undefined) return undefined
      // An event may lie on another machine than its tracks.
      const event = await db
        .selectFrom('events')
        .select(['name as event_name', 'time_zone'])
        .where('id', '=', track.event_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return event && { ...track, ...event }
    },

    /** Returns the tracks with some ids that the event has, in no order. */
    async named(eventId: string, ids: readonly string[]): Promise<FoundInEvent[]> {
      const rows = await selectTracks(db).where('id', 'in', ids).execute()
      const ofEvent = rows.filter(({ event_id }) => event_id === eventId)
      return await withRunnerNames(db, ofEvent)
    },

    /** Returns the time of the track's first point; null without points. */
    async firstPointMs(id: string): Promise<number | null> {
      const first = await db
        .selectFrom('chunks')
        .select('first_ms')
        .where('track_id', '=', id)
        .orderBy('first_ms')
        .limit(1)
        .executeTakeFirst()
      return first?.first_ms ?? null
    },

    async search(eventId: string, search: TrackSearch, page: TrackPage): Promise<FoundTrack[]> {
      if (search.ids?.length === 0) return []
      const { sort, descending, after, limit } = page
      const key = SORT_KEYS[sort]()
      const order = descending ? 'desc' : 'asc'
      let query = searched(db, eventId, search)
      if (sort === 'updated' && search.ids === undefined) query = await nearPage(query, page)
      if (after !== undefined) query = query.where(isAfter(key, after, descending))
      // An index alone finds the ids where it can; only the rows of the page are read.
      const found = query
        .select(['id', key.as('sort_key')])
        .orderBy(key, order)
        .orderBy('id', order)
        .limit(limit)
      const rows = await selectTracks(db)
        .innerJoin(found.as('found'), 'found.id', 'tracks.id')
        .select('found.sort_key')
        .orderBy('found.sort_key', order)
        .orderBy('found.id', order)
        .execute()
      return await withRunnerNames(db, rows)
    },

    /**
     * Looks for a text that few tracks have. If so, the returned search names them, so that a page of them in any
     * order is found without searching again, and `total` is their number. Otherwise it is the search as given.
     */
    narrow: (eventId: string, search: TrackSearch) => narrowed(db, eventId, search),

    async count(eventId: string, search: TrackSearch): Promise<number> {
      const query = searched(db, eventId, search)
      const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },

    /**
     * Returns the tracks of an event, or the one track, by start: tracks with points, and in an event with a delay
     * tracks that had begun by a time.
     */
    async replayed(
      eventId: string,
      limit: number,
      { trackId, untilMs }: { trackId?: string; untilMs: number },
    ): Promise<ReplayedTrack[]> {
      const ofEvent = db.selectFrom('tracks').select(REPLAYED).where('event_id', '=', eventId)
      // Spectators may not learn that a track has its first point.
      let query = Number.isFinite(untilMs)
        ? ofEvent.where('start_ms', '<=', untilMs)
        : ofEvent.where('point_count', '>', 0)
      if (trackId !== undefined) query = query.where('id', '=', trackId)
      return await withRunnerNames(db, await query.orderBy('start_ms').orderBy('id').limit(limit).execute())
    },
  }
}

async function narrowed(
  db: Kysely<TracksTables>,
  eventId: string,
  search: TrackSearch,
): Promise<{ search: TrackSearch; total?: number }> {
  if (!hasText(search)) return { search }
  const named = { ...search, userIds: await runnersNamed(db, eventId, search.text!) }
  const ids = await firstMatches(db, eventId, named, MAX_NAMED + 1)
  return ids.length > MAX_NAMED ? { search: named } : { search: { ...named, ids }, total: ids.length }
}

/** Returns ids of matching tracks, in no order. */
async function firstMatches(
  db: Kysely<TracksTables>,
  eventId: string,
  search: TrackSearch,
  limit: number,
): Promise<string[]> {
  const query = searched(db, eventId, search)
  const rows = await query.select('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

function hasText({ text }: TrackSearch): boolean {
  return text !== undefined && text !== ''
}

type TracksQuery = SelectQueryBuilder<TracksTables, 'tracks', object>

/**
 * Limits a query for tracks by their latest change to those around the page, by the coarse times that an
 * index has. A track whose coarse time is further from the cursor than these may lag is certainly on its
 * other side. As many of these as the page has places are certainly enough for it, and nothing on the page
 * changed longer ago than they did at the earliest.
 */
async function nearPage(query: TracksQuery, { descending, after, limit }: TrackPage): Promise<TracksQuery> {
  const order = descending ? 'desc' : 'asc'
  const key = after === undefined ? undefined : Number(after.key)
  let certain = query.select('coarse_updated_at').orderBy('coarse_updated_at', order)
  if (key !== undefined) {
    certain = descending
      ? certain.where('coarse_updated_at', '<', key - MAX_COARSE_LAG_MS)
      : certain.where('coarse_updated_at', '>', key)
  }
  const last = await certain
    .orderBy('id', order)
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  let near = query
  if (descending) {
    if (key !== undefined) near = near.where('coarse_updated_at', '<=', key)
    if (last !== undefined) near = near.where('coarse_updated_at', '>=', last.coarse_updated_at - MAX_COARSE_LAG_MS)
  } else {
    if (key !== undefined) near = near.where('coarse_updated_at', '>=', key - MAX_COARSE_LAG_MS)
    if (last !== undefined) near = near.where('coarse_updated_at', '<=', last.coarse_updated_at + MAX_COARSE_LAG_MS)
  }
  return near
}

/**
 * Selects the tracks that match. Named ones were found by the other conditions, which would only mislead: SQLite then
 * reads all tracks of the event in the order of the page, to spare itself sorting these few.
 */
function searched(db: Kysely<TracksTables>, eventId: string, search: TrackSearch): TracksQuery {
  if (search.ids !== undefined) return db.selectFrom('tracks').where('id', 'in', search.ids)
  let query: TracksQuery = db.selectFrom('tracks').where('event_id', '=', eventId)
  if (hasText(search)) {
    const isTitled = sql<boolean>`search_text like ${containing(search.text!)} escape '\\'`
    const { userIds = [] } = search
    query = query.where((row) => (userIds.length === 0 ? isTitled : row.or([isTitled, row('user_id', 'in', userIds)])))
  }
  return filtered(query, search)
}

/** The first condition follows from the others; with it the index scan begins at the position. */
function isAfter(key: RawBuilder<unknown>, { key: last, id }: TrackPosition, descending: boolean) {
  return (and: ExpressionBuilder<TracksTables, 'tracks'>) => {
    const comparison = descending ? '<' : '>'
    return and.and([and(key, `${comparison}=`, last), and.or([and(key, comparison, last), and('id', comparison, id)])])
  }
}

type TrackPageRequest = { sort: TrackSort; descending: boolean; limit: number; cursor: string | undefined }

/**
 * Returns one page of an event's tracks with the cursor of the next.
 * @throws badRequest for a cursor of another list
 */
export async function findTrackPage(
  store: OperatorTracksStore,
  eventId: string,
  search: TrackSearch,
  { sort, descending, limit, cursor }: TrackPageRequest,
): Promise<{ rows: TrackRow[]; nextCursor: string | null }> {
  const cursors = createCursorCodec<TrackPosition>(
    `${sort} ${descending ? 'desc' : 'asc'}`,
    ({ key, id }) => (sort === 'title' ? isCursorText(key) : Number.isFinite(key)) && isCursorText(id),
  )
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const found = await store.search(eventId, search, { sort, descending, after, limit: limit + 1 })
  return pageOf(found, limit, cursors, (row) => ({ key: row.sort_key, id: row.id }))
}
