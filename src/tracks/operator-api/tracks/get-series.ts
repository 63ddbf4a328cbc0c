import type { HttpServer } from '#platform/http/http-server.ts'
import { profileTask } from '../../computing/profile-task.ts'
import { trackNotFound } from '../../errors.ts'
import { seriesJson } from '../../representations/series-json.ts'
import { TrackParams } from '../../schemas/track.ts'
import { SeriesQuery, TrackSeries, USUAL_SERIES_POINTS } from '../../schemas/track-series.ts'
import type { OperatorDeps } from '../operator-deps.ts'

/** GET /operator/tracks/:id/series */
export function getSeries(app: HttpServer, deps: OperatorDeps) {
  app.get(
    '/operator/tracks/:id/series',
    {
      schema: {
        operationId: 'operatorGetSeries',
        summary: 'Get the line and the profiles of a track',
        description:
          'In columns: position, altitude, speed and way of the points that the statistics use, thinned so that turns, summits and sprints stay, with the gaps between them and the points that are left out.',
        tags: ['Operator'],
        params: TrackParams,
        querystring: SeriesQuery,
        problems: [trackNotFound],
        response: { 200: TrackSeries },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query }) => {
      const row = await deps.operatorTracks.find(params.id)
      if (row === undefined) throw trackNotFound()
      const maxPoints = query.points ?? USUAL_SERIES_POINTS
      return seriesJson(row.id, await deps.pool.series({ ...(await profileTask(deps, row)), maxPoints }))
    },
  )
}
