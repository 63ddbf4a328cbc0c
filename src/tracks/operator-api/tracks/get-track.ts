import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import { OperatorTrack } from '../../schemas/operator-track.ts'
import { TrackParams } from '../../schemas/track.ts'
import { type OperatorTrackDeps, operatorTrackJson } from './operator-track-json.ts'

/** GET /operator/tracks/:id */
export function getTrack(app: HttpServer, deps: OperatorTrackDeps) {
  app.get(
    '/operator/tracks/:id',
    {
      config: { operator: { role: 'viewer', effect: 'reads' } },
      schema: {
        operationId: 'operatorGetTrack',
        summary: 'Get a track',
        description: 'Returns the track as the app gets it, with its pauses and the provenance of its statistics.',
        tags: ['Operator'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: OperatorTrack },
      },
    },
    async ({ params }, reply) => await operatorTrackJson(deps, params.id, clientLeft(reply)),
  )
}
