import { streamed } from '#platform/http/answer-schemas.ts'
import { clientLeft } from '#platform/http/client-left.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/encoded-bytes.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { Profiles } from '../computing/profiles.ts'
import { shareEnded, shareNotFound, trackNotFound } from '../errors.ts'
import { SharedTrackParams } from '../schemas/addresses.ts'
import { DEFAULT_SERIES_POINTS, SeriesQuery, TrackSeries } from '../schemas/track-series.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { openShare, type ShareDeps } from './open-share.ts'

type Deps = ShareDeps & {
  tracks: Pick<TracksStore, 'get'>
  profiles: Profiles
}

/** GET /shares/:token/tracks/:id/series */
export function getSharedSeries(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/tracks/:id/series',
    {
      schema: {
        operationId: 'getSharedSeries',
        summary: 'Get the line and profiles of a shared track',
        description: 'Returns the series without the points that statistics leave out.',
        tags: ['Shared'],
        params: SharedTrackParams,
        querystring: SeriesQuery,
        problems: [shareNotFound, shareEnded, trackNotFound],
        response: { 200: streamed(TrackSeries) },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const share = await openShare(deps, params.token)
      if (share.track_id !== null && share.track_id !== params.id) throw trackNotFound()
      const row = await deps.tracks.get(share.event_id, params.id)
      const maxPoints = query.points ?? DEFAULT_SERIES_POINTS
      const encoding = acceptedEncoding(request)
      // Outliers are for operators, not for spectators.
      const series = await deps.profiles(
        row,
        { name: 'series', maxPoints, withLeftOut: false },
        { kind: 'spectator', caller: addressGroup(request.ip), encoding, left: clientLeft(reply) },
      )
      return sendJsonBytes(reply, series, encoding)
    },
  )
}
