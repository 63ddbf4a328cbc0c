import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OperatorTrack, Provenance } from '../../../src/tracks/schemas/operator-track.ts'
import type { RawPoint, RawPointList } from '../../../src/tracks/schemas/raw-points.ts'
import type { Split, SplitList, TrackSeries } from '../../../src/tracks/schemas/track-series.ts'
import type {
  TrackSummariesQuery,
  TrackSummary,
  TrackSummaryList,
} from '../../../src/tracks/schemas/track-summaries.ts'
import { request } from './request.ts'

export type { OperatorTrack, Provenance, RawPoint, Split, TrackSeries, TrackSummary }

/** What narrows and orders a list of tracks. */
export type TrackFilter = Omit<TrackSummariesQuery, 'cursor' | 'limit'>

const TRACKS_PER_PAGE = 100
const POINTS_PER_PAGE = 200

/** An event's tracks, page after page. */
export function tracksQuery(eventId: string, filter: TrackFilter) {
  return infiniteQueryOptions({
    queryKey: ['event', eventId, 'tracks', filter],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => {
      const query = searchOf({ ...filter, limit: TRACKS_PER_PAGE, cursor: pageParam })
      return request<TrackSummaryList>('GET', `/operator/events/${encodeURIComponent(eventId)}/tracks?${query}`, {
        signal,
      })
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** One track with its statistics and where they come from. */
export function trackQuery(id: string) {
  return queryOptions({
    queryKey: ['track', id],
    queryFn: ({ signal }) => request<OperatorTrack>('GET', trackAddress(id), { signal }),
  })
}

/** A track's line with speeds and altitudes, thinned for drawing. */
export function seriesQuery(id: string) {
  return queryOptions({
    queryKey: ['track', id, 'series'],
    queryFn: ({ signal }) => request<TrackSeries>('GET', `${trackAddress(id)}/series`, { signal }),
  })
}

/** A track's kilometres. */
export function splitsQuery(id: string) {
  return queryOptions({
    queryKey: ['track', id, 'splits'],
    queryFn: async ({ signal }) => {
      return (await request<SplitList>('GET', `${trackAddress(id)}/splits`, { signal })).splits
    },
  })
}

/** A track's points as they were sent, page after page. */
export function rawPointsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['track', id, 'points'],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => {
      const query = searchOf({ from: pageParam, limit: POINTS_PER_PAGE })
      return request<RawPointList>('GET', `${trackAddress(id)}/points?${query}`, { signal })
    },
    getNextPageParam: ({ points, total }) => {
      const next = (points.at(-1)?.index ?? total) + 1
      return next < total ? next : undefined
    },
  })
}

/** Deletes a track with its points. */
export function deleteTrack(id: string): Promise<void> {
  return request('DELETE', trackAddress(id))
}

/** Where a track can be downloaded from. */
export function exportAddress(id: string, format: 'gpx' | 'geojson' | 'csv'): string {
  return `${trackAddress(id)}/export?format=${format}`
}

function trackAddress(id: string): string {
  return `/operator/tracks/${encodeURIComponent(id)}`
}

/** A query string of what is given. */
export function searchOf(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return new URLSearchParams(given).toString()
}

/** Where the live events of an event come from. */
export function liveAddress(eventId: string): string {
  return `/operator/events/${encodeURIComponent(eventId)}/live`
}
