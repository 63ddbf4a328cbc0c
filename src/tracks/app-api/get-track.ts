import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams } from '../schemas/track.ts'
import type { TracksStore } from '../storage/tracks-store.ts'

type Deps = {
  tracks: Pick<TracksStore, 'get'>
  currentStatistics: CurrentStatistics
}

/** GET /tracks/:id */
export function getTrack(app: HttpServer, { tracks, currentStatistics }: Deps) {
  app.get(
    '/tracks/:id',
    {
      schema: {
        operationId: 'getTrack',
        summary: 'Get a track',
        description: 'Returns the track with its statistics, computed from all points stored so far.',
        tags: ['Tracks'],
        permission: 'read',
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: Track },
      },
    },
    async ({ appToken, params }, reply) => {
      const row = await tracks.get(appToken, params.id)
      return await trackJson(row, (found) => currentStatistics(found, 'phone', clientLeft(reply)))
    },
  )
}
