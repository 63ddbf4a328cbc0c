import type { HttpServer } from '#platform/http/http-server.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { PointsPool } from '../../computing/points-pool.ts'
import { type ProfileDeps, profileTask } from '../../computing/profile-task.ts'
import { trackNotFound } from '../../errors.ts'
import { TrackParams } from '../../schemas/track.ts'
import { type Split, SplitList } from '../../schemas/track-series.ts'
import { SPLIT_METERS, type TrackSplit } from '../../statistics/splits.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'

/** A kilometer short by this much is still full: sums of thousands of legs are no more exact. */
const ROUNDING_METERS = 0.01

type Deps = ProfileDeps & {
  operatorTracks: Pick<OperatorTracksStore, 'find'>
  pool: Pick<PointsPool, 'splits'>
}

/** GET /operator/tracks/:id/splits */
export function getSplits(app: HttpServer, deps: Deps) {
  app.get(
    '/operator/tracks/:id/splits',
    {
      schema: {
        operationId: 'operatorGetSplits',
        summary: 'Get the kilometer splits of a track',
        description:
          'Returns one split per kilometer. Distance, duration, moving time, climb and descent add up to those of the statistics.',
        tags: ['Operator'],
        params: TrackParams,
        problems: [trackNotFound],
        response: { 200: SplitList },
      },
    },
    async ({ params }) => {
      const row = await deps.operatorTracks.find(params.id)
      if (row === undefined) throw trackNotFound()
      const splits = await deps.pool.splits(await profileTask(deps, row))
      return { track_id: row.id, splits: splits.map(splitJson) }
    },
  )
}

function splitJson(split: TrackSplit, index: number): Split {
  const { distanceMeters, startMs, endMs } = split
  const durationSec = (endMs - startMs) / 1000
  return {
    number: index + 1,
    distance_meters: distanceMeters,
    is_partial: distanceMeters < SPLIT_METERS - ROUNDING_METERS,
    start_ts: formatDateTime(startMs),
    end_ts: formatDateTime(endMs),
    duration_sec: durationSec,
    moving_time_sec: split.movingTimeSec,
    pace_sec_per_km: distanceMeters > 0 ? (durationSec / distanceMeters) * 1000 : 0,
    mean_speed_mps: durationSec > 0 ? distanceMeters / durationSec : 0,
    elevation_gain_m: split.gainMeters,
    elevation_loss_m: split.lossMeters,
  }
}
