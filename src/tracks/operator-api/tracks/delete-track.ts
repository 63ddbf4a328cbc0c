import { noContent } from '#platform/http/answer-schemas.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { trackNotFound } from '../../errors.ts'
import type { EventWatches } from '../../live/event-watches.ts'
import { TrackParams } from '../../schemas/track.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'
import { wholeEvent } from '../../storage/track-scope.ts'
import type { TracksStore } from '../../storage/tracks-store.ts'

type Deps = {
  operatorTracks: Pick<OperatorTracksStore, 'find'>
  tracks: Pick<TracksStore, 'delete'>
  watches: Pick<EventWatches, 'check'>
}

/** DELETE /operator/tracks/:id */
export function deleteTrack(app: HttpServer, { operatorTracks, tracks, watches }: Deps) {
  app.delete(
    '/operator/tracks/:id',
    {
      config: { operator: { role: 'editor', effect: 'erases' } },
      schema: {
        operationId: 'operatorDeleteTrack',
        summary: 'Delete a track',
        description: 'Deletes the track and all its points for good. Its `device_track_id` can be used again.',
        tags: ['Operator'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 204: noContent('The track was deleted.') },
      },
    },
    async ({ params }, reply) => {
      const row = await operatorTracks.find(params.id)
      if (row === undefined) throw trackNotFound()
      await tracks.delete(wholeEvent(row.event_id), row.id)
      watches.check(row.event_id)
      return reply.code(204).send()
    },
  )
}
