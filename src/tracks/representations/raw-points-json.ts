import { formatDateTime } from '#platform/time/date-time.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { pointValues } from '../points/point-values.ts'
import type { RawPointList } from '../schemas/raw-points.ts'
import { LEFT_OUT_CODES } from '../statistics/left-out-points.ts'

/** Points of a track from an index on, each with the code of the reason why statistics leave it out. */
type RawPoints = { total: number; from: number; points: PointColumns; leftOut: Uint8Array }

/** Represents points as they were sent in the words of the API. */
export function rawPointsJson(trackId: string, { total, from, points, leftOut }: RawPoints): RawPointList {
  const list = Array.from({ length: points.count }, (_, i) => ({
    index: from + i,
    timestamp: formatDateTime(points.timeMs[i]),
    ...pointValues(points, i),
    left_out: LEFT_OUT_CODES[leftOut[i]] ?? null,
  }))
  return { track_id: trackId, total, points: list }
}
