import { rateLimited } from '#platform/errors.ts'
import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import { TrackParams } from '../../schemas/track.ts'
import { SplitList } from '../../schemas/track-series.ts'
import { type ProfileDeps, sendProfile } from './send-profile.ts'

/** GET /operator/tracks/:id/splits */
export function getSplits(app: HttpServer, deps: ProfileDeps) {
  app.get(
    '/operator/tracks/:id/splits',
    {
      schema: {
        operationId: 'operatorGetSplits',
        summary: 'Get the kilometer splits of a track',
        description:
          'Returns one split per kilometer. Distance, duration, moving time, climb and descent add up to those of the statistics.',
        tags: ['Operator'],
        params: TrackParams,
        problems: [trackNotFound, rateLimited],
        response: { 200: streamed(SplitList) },
      },
    },
    async (request, reply) => await sendProfile(deps, request, reply, { name: 'splits' }),
  )
}
