import { rateLimited } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import { DEFAULT_RAW_POINTS_PER_PAGE, RawPointList, RawPointsQuery } from '../../schemas/raw-points.ts'
import { TrackParams } from '../../schemas/track.ts'
import { type ProfileDeps, sendProfile } from './send-profile.ts'

/** GET /operator/tracks/:id/points */
export function listPoints(app: HttpServer, deps: ProfileDeps) {
  app.get(
    '/operator/tracks/:id/points',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorListPoints',
        summary: 'List the raw points of a track',
        description:
          'Returns points as they were sent, in time order. Points that statistics leave out have the reason.',
        tags: ['Operator'],
        params: TrackParams,
        querystring: RawPointsQuery,
        problems: [trackNotFound, rateLimited],
        response: { 200: streamed(RawPointList) },
      },
    },
    async (request, reply) => {
      const { from = 0, limit = DEFAULT_RAW_POINTS_PER_PAGE } = request.query
      return await sendProfile(deps, request, reply, { name: 'raw-points', from, limit })
    },
  )
}
