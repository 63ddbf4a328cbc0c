import type { HttpServer } from '#platform/http/http-server.ts'
import type { PointsPool } from '../computing/points-pool.ts'
import { type ProfileDeps, profileTask } from '../computing/profile-task.ts'
import { shareEnded, shareNotFound, trackNotFound } from '../errors.ts'
import { seriesJson } from '../representations/series-json.ts'
import { SharedTrackParams } from '../schemas/addresses.ts'
import { DEFAULT_SERIES_POINTS, SeriesQuery, TrackSeries } from '../schemas/track-series.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { openShare, type ShareDeps } from './open-share.ts'

type Deps = ShareDeps &
  ProfileDeps & {
    tracks: Pick<TracksStore, 'get'>
    pool: Pick<PointsPool, 'series'>
  }

/** GET /shares/:token/tracks/:id/series */
export function getSharedSeries(app: HttpServer, deps: Deps) {
  app.get(
    '/shares/:token/tracks/:id/series',
    {
      schema: {
        operationId: 'getSharedSeries',
        summary: 'Get the line and profiles of a shared track',
        description: 'Returns the series without the points that statistics leave out.',
        tags: ['Shared'],
        params: SharedTrackParams,
        querystring: SeriesQuery,
        problems: [shareNotFound, shareEnded, trackNotFound],
        response: { 200: TrackSeries },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query }) => {
      const share = await openShare(deps, params.token)
      if (share.track_id !== null && share.track_id !== params.id) throw trackNotFound()
      const row = await deps.tracks.get(share.event_id, params.id)
      const maxPoints = query.points ?? DEFAULT_SERIES_POINTS
      const series = seriesJson(row.id, await deps.pool.series({ ...(await profileTask(deps, row)), maxPoints }))
      // Outliers are for operators, not for spectators.
      return { ...series, left_out: { time_ms: [], latitude: [], longitude: [], reason: [] } }
    },
  )
}
