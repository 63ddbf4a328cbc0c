import { rateLimited } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import { TrackParams } from '../../schemas/track.ts'
import { METERS_OF_SPLIT, SplitList, SplitsQuery } from '../../schemas/track-series.ts'
import { type ProfileDeps, sendProfile } from './send-profile.ts'

/** GET /operator/tracks/:id/splits */
export function getSplits(app: HttpServer, deps: ProfileDeps) {
  app.get(
    '/operator/tracks/:id/splits',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetSplits',
        summary: 'Get the splits of a track',
        description:
          'Returns one split per kilometer or mile of the shown part. Distance, duration, moving time, climb and descent add up to those of the statistics.',
        tags: ['Operator'],
        params: TrackParams,
        querystring: SplitsQuery,
        problems: [trackNotFound, rateLimited],
        response: { 200: streamed(SplitList) },
      },
    },
    async (request, reply) => {
      const meters = METERS_OF_SPLIT[request.query.unit ?? 'km']
      return await sendProfile(deps, request, reply, { name: 'splits', meters })
    },
  )
}
