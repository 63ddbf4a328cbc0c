import type { ShownPart } from '../domain/shown-part.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { pointsWithin } from '../points/point-set.ts'
import { downsampleTrack } from './downsample-track.ts'
import { examineTrack, type StatisticsSettings } from './examined-track.ts'

/** A line that is only drawn faintly needs no more points than this. */
const MAX_POINTS = 300

/** A part of a track that is not shown, as a line. */
export type TrimmedEnd = { latitude: Float64Array; longitude: Float64Array }

/** Returns the parts of a track before and after the shown one, without points that statistics leave out. */
export function trimmedEnds(points: PointColumns, shown: ShownPart, settings: StatisticsSettings): TrimmedEnd[] {
  const before = { fromMs: Number.NEGATIVE_INFINITY, untilMs: shown.fromMs - 1 }
  const after = { fromMs: shown.untilMs + 1, untilMs: Number.POSITIVE_INFINITY }
  return [before, after]
    .map((part) => pointsWithin(points, part))
    .filter(({ count }) => count > 0)
    .map((end) => {
      const { trace, starts } = examineTrack(end, [], settings)
      const none = new Float64Array(trace.count).fill(Number.NaN)
      const kept = downsampleTrack({ trace, altitudes: none, speeds: none, starts }, MAX_POINTS)
      const pick = (column: Float64Array) => Float64Array.from(kept, (index) => column[index])
      return { latitude: pick(trace.latitude), longitude: pick(trace.longitude) }
    })
}
