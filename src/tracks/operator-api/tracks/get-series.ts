import type { HttpServer } from '#platform/http/http-server.ts'
import type { PointsPool } from '../../computing/points-pool.ts'
import { type ProfileDeps, profileTask } from '../../computing/profile-task.ts'
import { trackNotFound } from '../../errors.ts'
import { seriesJson } from '../../representations/series-json.ts'
import { TrackParams } from '../../schemas/track.ts'
import { DEFAULT_SERIES_POINTS, SeriesQuery, TrackSeries } from '../../schemas/track-series.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'

type Deps = ProfileDeps & {
  operatorTracks: Pick<OperatorTracksStore, 'find'>
  pool: Pick<PointsPool, 'series'>
}

/** GET /operator/tracks/:id/series */
export function getSeries(app: HttpServer, deps: Deps) {
  app.get(
    '/operator/tracks/:id/series',
    {
      schema: {
        operationId: 'operatorGetSeries',
        summary: 'Get the line and profiles of a track',
        description:
          'Returns columns with position, altitude, speed and distance of the points that statistics use, downsampled so that turns, summits and sprints stay, with the gaps in the line and the left-out points.',
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
      const maxPoints = query.points ?? DEFAULT_SERIES_POINTS
      return seriesJson(row.id, await deps.pool.series({ ...(await profileTask(deps, row)), maxPoints }))
    },
  )
}
