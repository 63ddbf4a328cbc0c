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
        description:
          'Deletes the track and all its points for good. Its `device_track_id` can be used again. The token needs the permission `manage`, which the first token of an event does not have.',
        tags: ['Tracks'],
        permission: 'manage',
        params: TrackParams,
        problems: [trackNotFound],
        response: { 204: noContent('The track was deleted.') },
      },
    },
    async ({ appToken, params }, reply) => {
      await tracks.delete(appToken, params.id)
      return reply.code(204).send()
    },
  )
}
