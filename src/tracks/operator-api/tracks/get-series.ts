import { rateLimited } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import { TrackParams } from '../../schemas/track.ts'
import { DEFAULT_SERIES_POINTS, SeriesQuery, TrackSeries } from '../../schemas/track-series.ts'
import { type ProfileDeps, sendProfile } from './send-profile.ts'

/** GET /operator/tracks/:id/series */
export function getSeries(app: HttpServer, deps: ProfileDeps) {
  app.get(
    '/operator/tracks/:id/series',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetSeries',
        summary: 'Get the line and profiles of a track',
        description:
          'Returns columns with position, altitude, speed and distance of the points that statistics use, downsampled so that turns, summits and sprints stay, with the gaps in the line and the left-out points. Describes the shown part of a trimmed track, and has the trimmed ends as lines.',
        tags: ['Operator'],
        params: TrackParams,
        querystring: SeriesQuery,
        problems: [trackNotFound, rateLimited],
        response: { 200: streamed(TrackSeries) },
      },
    },
    async (request, reply) => {
      const maxPoints = request.query.points ?? DEFAULT_SERIES_POINTS
      return await sendProfile(deps, request, reply, { name: 'series', maxPoints, for: 'operator' })
    },
  )
}
