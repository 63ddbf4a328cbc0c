import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { shareEnded, shareNotFound, trackNotFound } from '../errors.ts'
import { SharedTrackParams } from '../schemas/addresses.ts'
import { DEFAULT_SERIES_POINTS, SeriesQuery, TrackSeries } from '../schemas/track-series.ts'
import { type SharedProfileDeps, sendSharedProfile } from './send-shared-profile.ts'

/** GET /shares/:token/tracks/:id/series */
export function getSharedSeries(app: HttpServer, deps: SharedProfileDeps) {
  app.get(
    '/shares/:token/tracks/:id/series',
    {
      schema: {
        operationId: 'getSharedSeries',
        summary: 'Get the line and profiles of a shared track',
        description: 'Returns the series of the shown part, without the points that statistics leave out.',
        tags: ['Shared'],
        params: SharedTrackParams,
        querystring: SeriesQuery,
        problems: [shareNotFound, shareEnded, trackNotFound],
        response: { 200: streamed(TrackSeries) },
      },
    },
    async (request, reply) => {
      const maxPoints = request.query.points ?? DEFAULT_SERIES_POINTS
      return await sendSharedProfile(deps, request, reply, { name: 'series', maxPoints, for: 'spectator' })
    },
  )
}
