import { queryOptions } from '@tanstack/react-query'
import type { Share, ShareCreate, SharedView, ShareList } from '../../../src/tracks/schemas/shares.ts'
import type { TrackSeries } from '../../../src/tracks/schemas/track-series.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { apiPaths } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type { Share, ShareCreate, SharedTrack, SharedView }

/** An event's share links. */
export function sharesQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.shares(eventId),
    queryFn: async ({ signal }) => (await request<ShareList>('GET', apiPaths.eventShares(eventId), { signal })).shares,
  })
}

/** Creates a share link. */
export function createShare(eventId: string, share: ShareCreate): Promise<Share> {
  return request('POST', apiPaths.eventShares(eventId), { body: share })
}

/** Revokes a share link at once. */
export function revokeShare(id: string): Promise<void> {
  return request('DELETE', apiPaths.share(id))
}

/** The event or track behind a share link. */
export function sharedViewQuery(token: string) {
  return queryOptions({
    queryKey: queryKeys.shared(token),
    queryFn: ({ signal }) => request<SharedView>('GET', apiPaths.shared(token), { signal }),
  })
}

/** The line of one track behind a share link. */
export function sharedSeriesQuery(token: string, trackId: string) {
  return queryOptions({
    queryKey: queryKeys.sharedSeries(token, trackId),
    queryFn: ({ signal }) => request<TrackSeries>('GET', apiPaths.sharedSeries(token, trackId), { signal }),
  })
}
