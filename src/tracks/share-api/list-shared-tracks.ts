import type { HttpServer } from '#platform/http/http-server.ts'
import type { DelayedTracks } from '../computing/delay/delayed-tracks.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { findTrackPage } from '../representations/track-page.ts'
import { sharedTrack } from '../representations/track-summary.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { SharedTrackList, SharedTracksQuery } from '../schemas/shares.ts'
import { DEFAULT_OPERATOR_TRACKS_PER_PAGE, type SharedTrack } from '../schemas/track-summaries.ts'
import type { OperatorTracksStore } from '../storage/operator-tracks-store.ts'
import type { TrackRow } from '../storage/tables.ts'
import { wholeEvent } from '../storage/track-scope.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { type OpenShare, openShare, type ShareDeps } from './open-share.ts'

type Deps = ShareDeps & {
  tracks: Pick<TracksStore, 'find'>
  operatorTracks: Pick<OperatorTracksStore, 'search'>
  refreshStatistics: RefreshStatistics
  delayedTracks: DelayedTracks
}

/** GET /shares/:token/tracks */
export function listSharedTracks(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/tracks',
    {
      schema: {
        operationId: 'listSharedTracks',
        summary: 'List shared tracks',
        description: 'Returns the tracks of a shared event, newest start first, or the one shared track.',
        tags: ['Shared'],
        params: SharedParams,
        querystring: SharedTracksQuery,
        problems: [shareNotFound, shareEnded],
        response: { 200: SharedTrackList },
      },
    },
    async ({ params, query }) => {
      const share = await openShare(deps, params.token)
      if (share.track_id !== null) {
        const row = await deps.tracks.find(wholeEvent(share.event_id), share.track_id)
        return { tracks: await shownTracks(row === undefined ? [] : [row], share), next_cursor: null }
      }
      const limit = query.limit ?? DEFAULT_OPERATOR_TRACKS_PER_PAGE
      const begun = Number.isFinite(share.shownUntilMs) ? { toMs: share.shownUntilMs + 1 } : {}
      const page = { sort: 'start' as const, descending: true, limit, cursor: query.cursor }
      const { rows, nextCursor } = await findTrackPage(deps.operatorTracks, share.event_id, begun, page)
      return { tracks: await shownTracks(rows, share), next_cursor: nextCursor }
    },
  )

  async function shownTracks(rows: readonly TrackRow[], { shownUntilMs }: OpenShare): Promise<SharedTrack[]> {
    // With a delay, the figures are those of an earlier time.
    if (!Number.isFinite(shownUntilMs)) deps.refreshStatistics(rows)
    return (await deps.delayedTracks(rows, shownUntilMs)).map(sharedTrack)
  }
}
