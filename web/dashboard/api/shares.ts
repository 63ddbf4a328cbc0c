import { queryOptions } from '@tanstack/react-query'
import type { NewShare, Share, SharedTrackList, SharedView, ShareList } from '../../../src/tracks/schemas/shares.ts'
import type { TrackSeries } from '../../../src/tracks/schemas/track-series.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { request } from './request.ts'
import { searchOf } from './tracks.ts'

export type { NewShare, Share, SharedTrack, SharedView }

const TRACKS_PER_PAGE = 500

/** The addresses for spectators that an event has. */
export function sharesQuery(eventId: string) {
  return queryOptions({
    queryKey: ['event', eventId, 'shares'],
    queryFn: async ({ signal }) => {
      const address = `/operator/events/${encodeURIComponent(eventId)}/shares`
      return (await request<ShareList>('GET', address, { signal })).shares
    },
  })
}

/** Makes an address for spectators. */
export function createShare(eventId: string, share: NewShare): Promise<Share> {
  return request('POST', `/operator/events/${encodeURIComponent(eventId)}/shares`, { body: share })
}

/** Ends an address for spectators at once. */
export function revokeShare(id: string): Promise<void> {
  return request('DELETE', `/operator/shares/${encodeURIComponent(id)}`)
}

/** What a shared address shows. */
export function sharedViewQuery(token: string) {
  return queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => request<SharedView>('GET', sharedAddress(token), { signal }),
  })
}

/** All tracks that a shared address shows. */
export function sharedTracksQuery(token: string) {
  return queryOptions({
    queryKey: ['shared', token, 'tracks'],
    queryFn: async ({ signal }) => {
      const tracks: SharedTrack[] = []
      let cursor: string | undefined
      do {
        const query = searchOf({ limit: TRACKS_PER_PAGE, cursor })
        const page = await request<SharedTrackList>('GET', `${sharedAddress(token)}/tracks?${query}`, { signal })
        tracks.push(...page.tracks)
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
      return tracks
    },
  })
}

/** The line of one track that a shared address shows. */
export function sharedSeriesQuery(token: string, trackId: string) {
  return queryOptions({
    queryKey: ['shared', token, 'series', trackId],
    queryFn: ({ signal }) => {
      const address = `${sharedAddress(token)}/tracks/${encodeURIComponent(trackId)}/series`
      return request<TrackSeries>('GET', address, { signal })
    },
  })
}

/** Where the live events of a shared address come from. */
export function sharedLiveAddress(token: string): string {
  return `${sharedAddress(token)}/live`
}

function sharedAddress(token: string): string {
  return `/shares/${encodeURIComponent(token)}`
}
