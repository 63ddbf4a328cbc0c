import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../errors.ts'
import { TrackParams } from '../schemas/track.ts'
import type { TracksStore } from '../storage/tracks-store.ts'

type Deps = { tracks: Pick<TracksStore, 'delete'> }

/** DELETE /tracks/:id */
export function deleteTrack(app: HttpServer, { tracks }: Deps) {
  app.delete(
    '/tracks/:id',
    {
      schema: {
        operationId: 'deleteTrack',
        summary: 'Delete a track',
        description: 'Deletes the track and all its points for good. Its `device_track_id` can be used again.',
        tags: ['Tracks'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 204: noContent('The track was deleted.') },
      },
    },
    async ({ eventId, params }, reply) => {
      await tracks.delete(eventId, params.id)
      return reply.code(204).send()
    },
  )
}
