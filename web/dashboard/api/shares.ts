import { queryOptions } from '@tanstack/react-query'
import type { Share, ShareCreate, ShareList } from '../../../src/tracks/schemas/shares.ts'
import type { SplitList, TrackSeries } from '../../../src/tracks/schemas/track-series.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'
import type { SplitUnit } from './tracks.ts'

export type { Share, ShareCreate, SharedTrack }

/** An event's shares, without their links. */
export function sharesQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.shares(eventId),
    queryFn: ({ signal }) => listShares(eventId, 'masked', signal),
  })
}

/** An event's shares with their links, which leave the cache with the last component that shows them. */
export function shareLinksQuery(eventId: string) {
  return queryOptions({
    queryKey: queryKeys.shareLinks(eventId),
    gcTime: 0,
    queryFn: ({ signal }) => listShares(eventId, 'plain', signal),
  })
}

async function listShares(eventId: string, links: 'plain' | 'masked', signal: AbortSignal): Promise<Share[]> {
  return (await request<ShareList>('GET', withQuery(apiPaths.eventShares(eventId), { links }), { signal })).shares
}

/** Creates a share link. */
export function createShare(eventId: string, share: ShareCreate): Promise<Share> {
  return request('POST', apiPaths.eventShares(eventId), { body: share })
}

/** Revokes a share link at once. */
export function revokeShare(id: string): Promise<void> {
  return request('DELETE', apiPaths.share(id))
}

/** The splits of one track behind a share link. */
export function sharedSplitsQuery(token: string, trackId: string, unit: SplitUnit) {
  return queryOptions({
    queryKey: queryKeys.sharedSplits(token, trackId, unit),
    queryFn: async ({ signal }) =>
      (await request<SplitList>('GET', withQuery(apiPaths.sharedSplits(token, trackId), { unit }), { signal })).splits,
  })
}

/** The line of one track behind a share link. */
export function sharedSeriesQuery(token: string, trackId: string) {
  return queryOptions({
    queryKey: queryKeys.sharedSeries(token, trackId),
    queryFn: ({ signal }) => request<TrackSeries>('GET', apiPaths.sharedSeries(token, trackId), { signal }),
  })
}

/** Returns the label of a share, or the title of its track; undefined if it has neither. */
export function shareName({ label, track_title }: Share): string | undefined {
  return label ?? track_title ?? undefined
}
