import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ExportFormatName } from '../../../src/tracks/schemas/exports.ts'
import type { OperatorTrack, OperatorTrackUpdate, Provenance } from '../../../src/tracks/schemas/operator-track.ts'
import type { RawPoint, RawPointList } from '../../../src/tracks/schemas/raw-points.ts'
import type { Split, SplitList, SplitsQuery, TrackSeries } from '../../../src/tracks/schemas/track-series.ts'
import type {
  TrackSummariesQuery,
  TrackSummary,
  TrackSummaryList,
} from '../../../src/tracks/schemas/track-summaries.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { OperatorTrack, Provenance, RawPoint, Split, TrackSeries, TrackSummary }

/** The filters and the order of a list of tracks. */
export type TrackFilter = Omit<TrackSummariesQuery, 'cursor' | 'limit'>

const TRACKS_PER_PAGE = 100
const POINTS_PER_PAGE = 200

/** An event's tracks, page after page. */
export function tracksQuery(eventId: string, filter: TrackFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.tracks(eventId, filter),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, limit: TRACKS_PER_PAGE, cursor: pageParam }
      return request<TrackSummaryList>('GET', withQuery(apiPaths.eventTracks(eventId), query), { signal })
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** One track with its statistics and their provenance. */
export function trackQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.track(id),
    queryFn: ({ signal }) => request<OperatorTrack>('GET', apiPaths.track(id), { signal }),
  })
}

/** A track's line with speeds and altitudes, downsampled for drawing. */
export function seriesQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.series(id),
    queryFn: ({ signal }) => request<TrackSeries>('GET', apiPaths.trackSeries(id), { signal }),
  })
}

/** The length of a split. */
export type SplitUnit = NonNullable<SplitsQuery['unit']>

/** A track's splits, one per kilometre or mile. */
export function splitsQuery(id: string, unit: SplitUnit) {
  return queryOptions({
    queryKey: queryKeys.splits(id, unit),
    queryFn: async ({ signal }) =>
      (await request<SplitList>('GET', withQuery(apiPaths.trackSplits(id), { unit }), { signal })).splits,
  })
}

/** A track's points as they were sent, page after page. */
export function rawPointsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.rawPoints(id),
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => {
      const query = { from: pageParam, limit: POINTS_PER_PAGE }
      return request<RawPointList>('GET', withQuery(apiPaths.trackPoints(id), query), { signal })
    },
    getNextPageParam: ({ points, total }) => {
      const next = (points.at(-1)?.index ?? total) + 1
      return next < total ? next : undefined
    },
  })
}

/** Changes the given fields of a track. */
export function changeTrack(id: string, change: OperatorTrackUpdate): Promise<OperatorTrack> {
  return request('PATCH', apiPaths.track(id), { body: change })
}

/** Stops a track, and ends it with its last point. */
export function finishTrack(id: string): Promise<OperatorTrack> {
  return request('POST', apiPaths.finishTrack(id))
}

/** Deletes a track with its points. */
export function deleteTrack(id: string): Promise<void> {
  return request('DELETE', apiPaths.track(id))
}

/** Returns the address of a track's download. */
export function exportAddress(id: string, format: ExportFormatName): string {
  return withQuery(apiPaths.trackExport(id), { format })
}

/** Returns the address of the archive of all tracks of an event. */
export function archiveAddress(eventId: string, format: ExportFormatName): string {
  return withQuery(apiPaths.eventExport(eventId), { format })
}
