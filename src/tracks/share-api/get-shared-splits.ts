import { streamed } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { shareEnded, shareNotFound, trackNotFound } from '../errors.ts'
import { SharedTrackParams } from '../schemas/addresses.ts'
import { METERS_OF_SPLIT, SplitList, SplitsQuery } from '../schemas/track-series.ts'
import { type SharedProfileDeps, sendSharedProfile } from './send-shared-profile.ts'

/** GET /shares/:token/tracks/:id/splits */
export function getSharedSplits(app: HttpServer, deps: SharedProfileDeps) {
  app.get(
    '/shares/:token/tracks/:id/splits',
    {
      schema: {
        operationId: 'getSharedSplits',
        summary: 'Get the splits of a shared track',
        description: 'Returns one split per kilometer or mile of the shown part.',
        tags: ['Shared'],
        params: SharedTrackParams,
        querystring: SplitsQuery,
        problems: [shareNotFound, shareEnded, trackNotFound],
        response: { 200: streamed(SplitList) },
      },
    },
    async (request, reply) => {
      const meters = METERS_OF_SPLIT[request.query.unit ?? 'km']
      return await sendSharedProfile(deps, request, reply, { name: 'splits', meters })
    },
  )
}
