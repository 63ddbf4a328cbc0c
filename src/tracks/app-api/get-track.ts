import type { HttpServer } from '#platform/http/http-server.ts'
import type { TracksDeps } from '../deps.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams } from '../schemas/track.ts'

/** GET /tracks/:id */
export function getTrack(app: HttpServer, { tracks, currentStatistics }: TracksDeps) {
  app.get(
    '/tracks/:id',
    {
      schema: {
        operationId: 'getTrack',
        summary: 'Get a track',
        description: 'With its statistics, computed of all points stored so far.',
        tags: ['Tracks'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: Track },
      },
    },
    async ({ eventId, params }) => await trackJson(await tracks.get(eventId, params.id), currentStatistics),
  )
}
