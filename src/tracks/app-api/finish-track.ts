import type { HttpServer } from '#platform/http/http-server.ts'
import type { TracksDeps } from '../deps.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams } from '../schemas/track.ts'
import { stateChange } from './update-track.ts'

/** POST /tracks/:id/finish */
export function finishTrack(app: HttpServer, { tracks, merger, currentStatistics, now }: TracksDeps) {
  app.post(
    '/tracks/:id/finish',
    {
      schema: {
        operationId: 'finishTrack',
        summary: 'Finish a track',
        description:
          'Stops the track, sets its end if it has none, and answers with its statistics. Finishing again is fine.',
        tags: ['Tracks'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: Track },
      },
    },
    async (request) => {
      const { eventId, params } = request
      const row = await tracks.change(eventId, params.id, (current) => ({
        ...stateChange(current, 'stopped', now()),
        end_ms: current.end_ms ?? Math.max(current.start_ms, current.last_point_ms ?? now()),
        revision: current.revision + 1,
      }))
      const finished = await trackJson(row, currentStatistics)
      merger.add(row.id)
      return finished
    },
  )
}
