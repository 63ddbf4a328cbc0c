import type { TrackFilter } from '../api/queries.ts'

export const STATES = ['running', 'paused', 'stopped'] as const

const SORTS = ['start', 'title', 'distance', 'duration', 'points', 'updated'] as const

/** The search of an address that filters and orders a list of tracks; unknown values are left out. */
export type TrackSearch = TrackFilter

/** Parses the search of an address. */
export function trackSearch(search: Record<string, unknown>): TrackSearch {
  const { q } = search
  return withoutUndefined({
    q: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, 500) || undefined : undefined,
    state: oneOf(STATES, search.state),
    activity_type: oneOf(ACTIVITIES, search.activity_type),
    sort: oneOf(SORTS, search.sort),
    order: oneOf(['asc', 'desc'] as const, search.order),
  })
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}

/** The activities of tracks, in the order of menus. */
export const ACTIVITIES = ['run', 'walk', 'bike', 'hike'] as const
