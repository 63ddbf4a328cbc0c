import { type ExpressionBuilder, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isUuid } from '#platform/ids/uuid.ts'
import type { ActivityType } from '../domain/activity-type.ts'
import type { TrackState } from '../domain/track-state.ts'
import type { TrackRow, TracksTables } from './tables.ts'

export type TrackSort = 'start' | 'title' | 'distance' | 'duration' | 'points' | 'updated'

/** Filters for the tracks of an event. Absent fields do not filter. */
export type TrackSearch = {
  /** Text folded by `foldText`. */
  text?: string
  state?: TrackState
  activityType?: ActivityType
  /** Bounds of the start time: `fromMs` inclusive, `toMs` exclusive. */
  fromMs?: number
  toMs?: number
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
type FoundTrack = TrackRow & { sort_key: number | string }

/** Tracks of all events, for operators. */
export type OperatorTracksStore = {
  /** Returns the track with the name of its event; undefined also while the event is being deleted. */
  find(id: string): Promise<(TrackRow & { event_name: string }) | undefined>
  search(eventId: string, search: TrackSearch, page: TrackPage): Promise<FoundTrack[]>
  count(eventId: string, search: TrackSearch): Promise<number>
}

/** Sort keys, as in the indices. No key is null, so that a page can begin after any track. */
const SORT_KEYS: Record<TrackSort, () => RawBuilder<number | string>> = {
  start: () => sql`start_ms`,
  title: () => sql`substr(coalesce(search_text, ''), 1, 60)`,
  distance: () => sql`coalesce(distance_m, -1)`,
  duration: () => sql`coalesce(end_ms, last_point_ms, start_ms) - start_ms`,
  points: () => sql`point_count`,
  updated: () => sql`updated_at`,
}

export function createOperatorTracksStore(db: Kysely<TracksTables>): OperatorTracksStore {
  return {
    async find(id) {
      if (!isUuid(id)) return undefined
      const track = await db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst()
      if (track === undefined) return undefined
      // An event may lie on another machine than its tracks.
      const event = await db
        .selectFrom('events')
        .select('name as event_name')
        .where('id', '=', track.event_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return event && { ...track, ...event }
    },

    async search(eventId, search, { sort, descending, after, limit }) {
      const key = SORT_KEYS[sort]()
      const order = descending ? 'desc' : 'asc'
      let query = filtered(db.selectFrom('tracks').where('event_id', '=', eventId), search)
      if (after !== undefined) query = query.where(isAfter(key, after, descending))
      // An index alone finds the ids; only the rows of the page are read.
      const found = query
        .select(['id', key.as('sort_key')])
        .orderBy(key, order)
        .orderBy('id', order)
        .limit(limit)
      return await db
        .selectFrom(found.as('found'))
        .innerJoin('tracks', 'tracks.id', 'found.id')
        .selectAll('tracks')
        .select('found.sort_key')
        .orderBy('found.sort_key', order)
        .orderBy('found.id', order)
        .execute()
    },

    async count(eventId, search) {
      const query = filtered(db.selectFrom('tracks').where('event_id', '=', eventId), search)
      const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

function filtered<Query extends SelectQueryBuilder<TracksTables, 'tracks', object>>(all: Query, search: TrackSearch) {
  let query: SelectQueryBuilder<TracksTables, 'tracks', object> = all
  if (search.text !== undefined && search.text !== '') {
    query = query.where(sql<boolean>`search_text like ${containing(search.text)} escape '\\'`)
  }
  if (search.state !== undefined) query = query.where('state', '=', search.state)
  if (search.activityType !== undefined) query = query.where('activity_type', '=', search.activityType)
  if (search.fromMs !== undefined) query = query.where('start_ms', '>=', search.fromMs)
  if (search.toMs !== undefined) query = query.where('start_ms', '<', search.toMs)
  return query
}

/** Returns a LIKE pattern that finds the text anywhere, with its special characters escaped. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The first condition follows from the others; with it the index scan begins at the position. */
function isAfter(key: RawBuilder<unknown>, { key: last, id }: TrackPosition, descending: boolean) {
  return (and: ExpressionBuilder<TracksTables, 'tracks'>) => {
    const comparison = descending ? '<' : '>'
    return and.and([and(key, `${comparison}=`, last), and.or([and(key, comparison, last), and('id', comparison, id)])])
  }
}
