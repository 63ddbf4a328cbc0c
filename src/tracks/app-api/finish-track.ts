import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Compactor } from '../computing/compactor.ts'
import type { CurrentStatistics } from '../computing/current-statistics.ts'
import { finishChange } from '../domain/state-change.ts'
import { trackNotFound } from '../errors.ts'
import { trackJson } from '../representations/track-json.ts'
import { Track, TrackParams } from '../schemas/track.ts'
import type { TracksStore } from '../storage/tracks-store.ts'

type Deps = {
  tracks: Pick<TracksStore, 'change'>
  compactor: Pick<Compactor, 'add'>
  currentStatistics: CurrentStatistics
  now: () => number
}

/** POST /tracks/:id/finish */
export function finishTrack(app: HttpServer, { tracks, compactor, currentStatistics, now }: Deps) {
  app.post(
    '/tracks/:id/finish',
    {
      schema: {
        operationId: 'finishTrack',
        summary: 'Finish a track',
        description:
          'Stops the track, sets its end if it has none, and returns it with its statistics. Finishing again has no effect.',
        tags: ['Tracks'],
        permission: 'record',
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: Track },
      },
    },
    async (request, reply) => {
      const { appToken, params } = request
      const row = await tracks.change(appToken, params.id, (current) => finishChange(current, now()))
      const finished = await trackJson(row, (found) => currentStatistics(found, 'phone', clientLeft(reply)))
      compactor.add(row.id)
      return finished
    },
  )
}
