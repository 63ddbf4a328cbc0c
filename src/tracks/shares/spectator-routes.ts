import type { HttpServer } from '#platform/http/http-server.ts'
import type { TrackListDoor } from '../api/list-tracks.ts'
import { DEFAULT_OPERATOR_TRACKS_PER_PAGE } from '../api/operator-track-schemas.ts'
import { sharedTrack } from '../api/track-json.ts'
import { shareEnded, shareNotFound } from '../model/errors.ts'
import { findTrackPage } from '../model/operator-tracks-store.ts'
import { SharedParams } from '../model/schema-fields.ts'
import type { TrackRow } from '../model/tables.ts'
import { wholeEvent } from '../model/track-rows.ts'
import { type OpenShare, openShare, type ShareDeps, sharedView } from './open-share.ts'
import { SharedTrackList, SharedTracksQuery, SharedView } from './schemas.ts'

/** GET /shares/:token */
export function getShare(app: HttpServer, deps: ShareDeps) {
  app.get(
    '/shares/:token',
    {
      schema: {
        operationId: 'getShare',
        summary: 'Get a share',
        tags: ['Shared'],
        params: SharedParams,
        problems: [shareNotFound, shareEnded],
        response: { 200: SharedView },
      },
    },
    async ({ params }) => sharedView(await openShare(deps, params.token), deps.titleTimeZone),
  )
}

/** Creates the door to lists of shared tracks. */
export function sharedTrackList(deps: ShareDeps): TrackListDoor {
  async function visible(rows: readonly TrackRow[], { shownUntilMs }: OpenShare): Promise<TrackRow[]> {
    // With a delay, the figures are those of an earlier time.
    if (!Number.isFinite(shownUntilMs)) deps.refreshStatistics(rows)
    return await deps.delayedTracks(rows, shownUntilMs)
  }

  return {
    path: '/shares/:token/tracks',
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
    async find({ params, query }) {
      const { ids, limit = DEFAULT_OPERATOR_TRACKS_PER_PAGE, cursor } = query as SharedTracksQuery
      const share = await openShare(deps, (params as { token: string }).token)
      if (share.track_id !== null) {
        const row = await deps.tracks.find(wholeEvent(share.event_id), share.track_id)
        return { rows: await visible(row === undefined ? [] : [row], share), nextCursor: null }
      }
      if (ids !== undefined) {
        const rows = await deps.operatorTracks.named(share.event_id, ids.split(','))
        return { rows: await visible(rows, share), nextCursor: null }
      }
      const begun = Number.isFinite(share.shownUntilMs) ? { toMs: share.shownUntilMs + 1 } : {}
      const page = { sort: 'start' as const, descending: true, limit, cursor }
      const { rows, nextCursor } = await findTrackPage(deps.operatorTracks, share.event_id, begun, page)
      return { rows: await visible(rows, share), nextCursor }
    },
    json: (rows) => rows.map(sharedTrack),
  }
}
