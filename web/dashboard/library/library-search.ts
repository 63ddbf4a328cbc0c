import type { LibraryFilter } from '../api/queries.ts'
import type { PublicationState } from './publication-state.tsx'

/** Groups of people that may read a publication. */
export const ACCESSES = ['public', 'unlisted', 'restricted'] as const

export const STATES = [
  ...ACCESSES,
  'processing',
  'failed',
  'draft',
  'scheduled',
  'expired',
  'unpublished',
] as const satisfies PublicationState[]
export const SORTS = ['created', 'updated', 'title', 'state', 'pages', 'views', 'size'] as const
const VIEWS = ['grid', 'table'] as const

/** The search of an address that filters, orders and lays out a library; unknown values are left out. */
export type LibrarySearch = {
  q?: string
  state?: PublicationState
  /** Id of a collection, or `none` for publications in none. */
  collection?: string
  sort?: (typeof SORTS)[number]
  order?: 'asc' | 'desc'
  view?: (typeof VIEWS)[number]
}

/** Parses the search of an address. */
export function librarySearch(search: Record<string, unknown>): LibrarySearch {
  const { q, collection } = search
  const read: LibrarySearch = {
    q: typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, 500) || undefined : undefined,
    state: STATES.find((state) => state === search.state),
    collection: typeof collection === 'string' && /^(none|[0-9a-f-]{36})$/.test(collection) ? collection : undefined,
    sort: SORTS.find((sort) => sort === search.sort),
    order: (['asc', 'desc'] as const).find((order) => order === search.order),
    view: VIEWS.find((view) => view === search.view),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

const BY_STATE: Record<PublicationState, LibraryFilter> = {
  public: { status: 'ready', visibility: 'visible', access: 'public' },
  unlisted: { status: 'ready', visibility: 'visible', access: 'unlisted' },
  restricted: { status: 'ready', visibility: 'visible', access: 'restricted' },
  processing: { status: 'processing', visibility: 'visible' },
  failed: { status: 'failed', visibility: 'visible' },
  draft: { visibility: 'draft' },
  scheduled: { visibility: 'scheduled' },
  expired: { visibility: 'expired' },
  unpublished: { visibility: 'unpublished' },
}

/** Converts the search into the filter of a request. */
export function filterOf({ q, state, collection, sort, order }: LibrarySearch): LibraryFilter {
  return {
    ...(state && BY_STATE[state]),
    ...(collection !== undefined && { collection }),
    ...(q !== undefined && { q, texts: 'true' as const }),
    ...(sort && { sort }),
    ...(order && { order }),
  }
}

/** The selectable periods of reading figures, in days up to today. */
export const PERIODS = [7, 30, 90] as const
export const DEFAULT_PERIOD = 30

type FigurePeriod = (typeof PERIODS)[number]

/** Parses the period from an address. */
export function figureSearch({ days }: Record<string, unknown>): { days?: FigurePeriod } {
  const period = PERIODS.find((known) => String(known) === String(days))
  return period === undefined ? {} : { days: period }
}

/** Returns a function that tells whether other publications of a list have the same title as one. */
export function sharedTitles(entries: readonly { title: string }[]): (entry: { title: string }) => boolean {
  const numbers = new Map<string, number>()
  for (const { title } of entries) numbers.set(title, (numbers.get(title) ?? 0) + 1)
  return ({ title }) => (numbers.get(title) ?? 0) > 1
}
