import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryFunction,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
} from '@tanstack/react-query'
import {
  getSettingsOptions,
  getSharedCourseQueryKey,
  getSharedRankingOptions,
  getSharedReplayOptions,
  getUpkeepOptions,
  listAuditRecordsInfiniteOptions,
  operatorGetCourseQueryKey,
  operatorGetErasureOptions,
  operatorGetFiguresOptions,
  operatorGetKeyOptions,
  operatorGetReplayOptions,
  operatorGetTokenOptions,
  operatorListErasuresInfiniteOptions,
  operatorListParticipantTokensOptions,
  operatorListPointsQueryKey,
  operatorListPublicationsInfiniteOptions,
  operatorListSharesOptions,
  operatorListTracksInfiniteOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { getSharedCourse, operatorGetCourse, operatorListPoints } from '../generated/sdk.gen.ts'
import type {
  ListAuditRecordsData,
  OperatorListPublicationsData,
  OperatorListTracksData,
} from '../generated/types.gen.ts'
import { hasStatus } from './api-error.ts'

// Queries that have options of their own, beside the generated ones: how long an answer stays, when it is asked for
// again, and how pages of a list follow each other.

/** Leaves the cache with the last component that shows it. */
export const SECRET = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY } as const
/** A replay can have megabytes, and must not change while it is watched. It leaves the cache soon after that. */
const WATCHED = { staleTime: Number.POSITIVE_INFINITY, gcTime: 10_000 } as const
/** Upkeep runs each hour, so a page that stays open asks now and then. */
const UPKEEP_MS = 600_000
const RECORDS_PER_PAGE = 50
const TRACKS_PER_PAGE = 100
const POINTS_PER_PAGE = 200
export const ENTRIES_PER_PAGE = 100

/** Pages that follow each other by a cursor. */
const PAGED = {
  initialPageParam: {},
  getNextPageParam: ({ next_cursor: cursor }: { next_cursor: string | null }) => cursor ?? undefined,
}

export type AuditFilter = Omit<NonNullable<ListAuditRecordsData['query']>, 'cursor' | 'limit'>
/** The filters and the order of a list of tracks. */
export type TrackFilter = Omit<NonNullable<OperatorListTracksData['query']>, 'cursor' | 'limit'>
/** The filters and the order of a library. */
export type LibraryFilter = Omit<NonNullable<OperatorListPublicationsData['query']>, 'cursor' | 'limit'>

/** The settings of the installation that the dashboard depends on. */
export const settingsQuery = queryOptions({ ...getSettingsOptions(), staleTime: Number.POSITIVE_INFINITY })

/** The deletions by age that wait for a word about the clock. For owners only. */
export const upkeepQuery = queryOptions({ ...getUpkeepOptions(), staleTime: UPKEEP_MS, refetchInterval: UPKEEP_MS })

/** The audit log, narrowed by a filter, the newest record first. */
export function auditQuery(filter: AuditFilter) {
  const options = listAuditRecordsInfiniteOptions({ query: { ...filter, limit: RECORDS_PER_PAGE } })
  return infiniteQueryOptions({ ...options, ...PAGED, placeholderData: keepPreviousData })
}

/** The receipts of all erasures, newest first. */
export const erasuresQuery = infiniteQueryOptions({ ...operatorListErasuresInfiniteOptions(), ...PAGED })

/** One receipt. Asked for again while its erasure is in progress. */
export function erasureQuery(id: string) {
  return queryOptions({
    ...operatorGetErasureOptions({ path: { id } }),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? 2000 : false),
  })
}

/** One app token in plain text. */
export function shownTokenQuery(id: string, tokenId: string) {
  return queryOptions({ ...operatorGetTokenOptions({ path: { id, tokenId } }), ...SECRET })
}

/** The tokens of participants in plain text. */
export function participantTokensQuery(id: string) {
  return queryOptions({ ...operatorListParticipantTokensOptions({ path: { id } }), ...SECRET })
}

/** A workspace's API key in plain text. */
export function workspaceKeyQuery(id: string) {
  return queryOptions({ ...operatorGetKeyOptions({ path: { id } }), ...SECRET })
}

/** An event's tracks, page after page. */
export function tracksQuery(id: string, filter: TrackFilter) {
  const options = operatorListTracksInfiniteOptions({ path: { id }, query: { ...filter, limit: TRACKS_PER_PAGE } })
  return infiniteQueryOptions({
    ...options,
    ...PAGED,
    initialPageParam: { path: { id } },
    placeholderData: keepPreviousData,
  })
}

/** A track's points as they were sent, page after page. */
export function rawPointsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: operatorListPointsQueryKey({ path: { id } }),
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      operatorListPoints({ path: { id }, query: { from: pageParam, limit: POINTS_PER_PAGE }, signal }),
    getNextPageParam: ({ points, total }) => {
      const next = (points.at(-1)?.index ?? total) + 1
      return next < total ? next : undefined
    },
  })
}

/** An event's shares, without their links. */
export function sharesQuery(id: string) {
  return queryOptions(operatorListSharesOptions({ path: { id }, query: { links: 'masked' } }))
}

/** An event's shares with their links, which leave the cache with the last component that shows them. */
export function shareLinksQuery(id: string) {
  return queryOptions({ ...operatorListSharesOptions({ path: { id }, query: { links: 'plain' } }), gcTime: 0 })
}

/** The course of an event; null without one. */
export function courseQuery(id: string) {
  return queryOptions({
    queryKey: [...operatorGetCourseQueryKey({ path: { id } }), 'or null'],
    queryFn: ({ signal }) => orNull(operatorGetCourse({ path: { id }, signal })),
  })
}

/** The course behind a share link with its checkpoints; null without one. */
export function sharedCourseQuery(token: string) {
  return queryOptions({
    queryKey: [...getSharedCourseQueryKey({ path: { token } }), 'or null'],
    queryFn: ({ signal }) => orNull(getSharedCourse({ path: { token }, signal })),
  })
}

/** The replay of an event. */
export function replayQuery(id: string) {
  return queryOptions({ ...operatorGetReplayOptions({ path: { id } }), ...WATCHED })
}

/** The replay of a share. */
export function sharedReplayQuery(token: string) {
  return queryOptions({ ...getSharedReplayOptions({ path: { token } }), ...WATCHED })
}

/** The ranking of a share, in which nobody is off the course: that somebody may need help is for operators alone. */
export function sharedRankingQuery(token: string) {
  return queryOptions({
    ...getSharedRankingOptions({ path: { token } }),
    select: (ranking) => ({ ...ranking, entries: ranking.entries.map((entry) => ({ ...entry, off_course_m: null })) }),
  })
}

/** A workspace's publications, page after page. */
export function libraryQuery(id: string, filter: LibraryFilter) {
  const query = { ...filter, limit: ENTRIES_PER_PAGE }
  const options = operatorListPublicationsInfiniteOptions({ path: { id }, query })
  return infiniteQueryOptions({
    ...options,
    ...PAGED,
    initialPageParam: { path: { id } },
    placeholderData: keepPreviousData,
  })
}

/** Reading figures of a publication over the last days, today included. */
export function figuresQuery(id: string, days: number) {
  const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
  return queryOptions({
    ...operatorGetFiguresOptions({ path: { id }, query: { from } }),
    placeholderData: keepPreviousData,
  })
}

/** A query of an event or of a share, whose keys differ. */
export type QueryOf<Data> = UseQueryOptions<Data, unknown>

/** Forgets the key's type, so that one view takes the query of an event as well as of a share. */
export function queryOf<Data>(options: { queryKey: QueryKey; queryFn?: QueryFunction<Data, never> | symbol }) {
  return options as unknown as QueryOf<Data>
}

async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}
