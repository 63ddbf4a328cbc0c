import type { HttpServer } from '#platform/http/http-server.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { PointsPool } from '../../computing/points-pool.ts'
import { type ProfileDeps, profileTask } from '../../computing/profile-task.ts'
import { trackNotFound } from '../../errors.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import { pointValues } from '../../points/point-values.ts'
import { DEFAULT_RAW_POINTS_PER_PAGE, type RawPoint, RawPointList, RawPointsQuery } from '../../schemas/raw-points.ts'
import { TrackParams } from '../../schemas/track.ts'
import { LEFT_OUT_CODES } from '../../statistics/left-out-points.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'

type Deps = ProfileDeps & {
  operatorTracks: Pick<OperatorTracksStore, 'find'>
  pool: Pick<PointsPool, 'rawPoints'>
}

/** GET /operator/tracks/:id/points */
export function listPoints(app: HttpServer, deps: Deps) {
  app.get(
    '/operator/tracks/:id/points',
    {
      schema: {
        operationId: 'operatorListPoints',
        summary: 'List the raw points of a track',
        description:
          'Returns points as they were sent, in time order. Points that statistics leave out have the reason.',
        tags: ['Operator'],
        params: TrackParams,
        querystring: RawPointsQuery,
        problems: [trackNotFound],
        response: { 200: RawPointList },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async ({ params, query }) => {
      const row = await deps.operatorTracks.find(params.id)
      if (row === undefined) throw trackNotFound()
      const from = query.from ?? 0
      const range = { from, limit: query.limit ?? DEFAULT_RAW_POINTS_PER_PAGE }
      const { total, points, leftOut } = await deps.pool.rawPoints({ ...(await profileTask(deps, row)), ...range })
      const list = Array.from({ length: points.count }, (_, i) => rawPoint(points, i, from + i, leftOut[i]))
      return { track_id: row.id, total, points: list }
    },
  )
}

function rawPoint(points: PointColumns, i: number, index: number, leftOut: number): RawPoint {
  return {
    index,
    timestamp: formatDateTime(points.timeMs[i]),
    ...pointValues(points, i),
    left_out: LEFT_OUT_CODES[leftOut] ?? null,
  }
}
