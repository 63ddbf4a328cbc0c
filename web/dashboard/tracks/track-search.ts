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

/** The part of the address of a comparison: the two tracks, and whether one clock counts for both. */
export type ComparisonSearch = { a?: string; b?: string; by?: 'clock' }

/** Parses the search of the address of a comparison. */
export function comparisonSearch({ a, b, by }: Record<string, unknown>): ComparisonSearch {
  const idOf = (value: unknown) => (typeof value === 'string' && ID.test(value) ? value : undefined)
  return withoutUndefined({ a: idOf(a), b: idOf(b), by: oneOf(['clock'] as const, by) })
}

/** Letters, digits and hyphens, as in ids: nothing else becomes part of the address of a request. */
const ID = /^[\w-]{1,64}$/

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}

/** The activities of tracks, in the order of menus. */
export const ACTIVITIES = ['run', 'walk', 'bike', 'hike'] as const
