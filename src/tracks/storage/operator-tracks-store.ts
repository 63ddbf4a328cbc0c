import { type ExpressionBuilder, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { isUuid } from '#platform/ids/uuid.ts'
import type { ActivityType } from '../domain/activity-type.ts'
import type { TrackState } from '../domain/track-state.ts'
import type { TrackRow, TracksTables } from './tables.ts'

export type TrackSort = 'start' | 'title' | 'distance' | 'duration' | 'points' | 'updated'

/** Which tracks of an event are looked for; a field left out does not choose. */
export type TrackSearch = {
  /** Text as `foldText` folds it. */
  text?: string
  state?: TrackState
  activityType?: ActivityType
  /** Start time, inclusive and exclusive. */
  fromMs?: number
  toMs?: number
}

/** The place after which a page begins: the key by which the list is sorted, and the track's id. */
export type TrackPlace = { key: number | string; id: string }

export type TrackPage = {
  sort: TrackSort
  descending: boolean
  after: TrackPlace | undefined
  limit: number
}

/** A track in a list, with the key that the list is sorted by. */
export type FoundTrack = TrackRow & { sort_key: number | string }

/** Tracks as an operator looks for them. */
export type OperatorTracksStore = {
  /** The track with the name of its event; undefined also where that is being deleted. */
  find(id: string): Promise<(TrackRow & { event_name: string }) | undefined>
  search(eventId: string, search: TrackSearch, page: TrackPage): Promise<FoundTrack[]>
  count(eventId: string, search: TrackSearch): Promise<number>
}

/** What a track is sorted by, as the indices have it; no key is null, so that pages can go on from any. */
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
      return await db
        .selectFrom('tracks')
        .innerJoin('events', 'events.id', 'tracks.event_id')
        .selectAll('tracks')
        .select('events.name as event_name')
        .where('tracks.id', '=', id)
        .where('events.deleted_at', 'is', null)
        .executeTakeFirst()
    },

    async search(eventId, search, { sort, descending, after, limit }) {
      const key = SORT_KEYS[sort]()
      const order = descending ? 'desc' : 'asc'
      let query = chosen(db.selectFrom('tracks').where('event_id', '=', eventId), search)
      if (after !== undefined) query = query.where(beyond(key, after, descending))
      // Which tracks they are is found in an index alone; only those of the page are read.
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
      const query = chosen(db.selectFrom('tracks').where('event_id', '=', eventId), search)
      const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

function chosen<Query extends SelectQueryBuilder<TracksTables, 'tracks', object>>(all: Query, search: TrackSearch) {
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

/** A LIKE pattern for text that stands anywhere, with nothing in it that has a meaning. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The first condition follows from the others, and is the one by which an index begins at the place. */
function beyond(key: RawBuilder<unknown>, { key: last, id }: TrackPlace, descending: boolean) {
  return (and: ExpressionBuilder<TracksTables, 'tracks'>) => {
    const further = descending ? '<' : '>'
    return and.and([and(key, `${further}=`, last), and.or([and(key, further, last), and('id', further, id)])])
  }
}
