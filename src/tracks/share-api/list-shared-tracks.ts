import type { HttpServer } from '#platform/http/http-server.ts'
import type { DelayedTracks } from '../computing/delay/delayed-tracks.ts'
import type { RefreshStatistics } from '../computing/refresh-statistics.ts'
import { shareEnded, shareNotFound } from '../errors.ts'
import { findTrackPage } from '../representations/track-page.ts'
import { sharedTrack } from '../representations/track-summary.ts'
import { SharedParams } from '../schemas/addresses.ts'
import { SharedTrackList, SharedTracksQuery } from '../schemas/shares.ts'
import { DEFAULT_OPERATOR_TRACKS_PER_PAGE } from '../schemas/track-summaries.ts'
import type { OperatorTracksStore } from '../storage/operator-tracks-store.ts'
import { wholeEvent } from '../storage/track-scope.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { openShare, type ShareDeps } from './open-share.ts'

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
        if (row !== undefined) deps.refreshStatistics([row])
        const shown = await deps.delayedTracks(row === undefined ? [] : [row], share.shownUntilMs)
        return { tracks: shown.map(sharedTrack), next_cursor: null }
      }
      const limit = query.limit ?? DEFAULT_OPERATOR_TRACKS_PER_PAGE
      const begun = Number.isFinite(share.shownUntilMs) ? { toMs: share.shownUntilMs + 1 } : {}
      const page = { sort: 'start' as const, descending: true, limit, cursor: query.cursor }
      const { rows, nextCursor } = await findTrackPage(deps.operatorTracks, share.event_id, begun, page)
      deps.refreshStatistics(rows)
      const shown = await deps.delayedTracks(rows, share.shownUntilMs)
      return { tracks: shown.map(sharedTrack), next_cursor: nextCursor }
    },
  )
}
