import type { PointColumns } from '../points/point-columns.ts'
import type { ExaminedTrack } from './examined-track.ts'

/** Why a point is not used, by the codes of `leftOutPoints`; the first is for those that are. */
export const LEFT_OUT_CODES = [undefined, 'same_time', 'inaccurate', 'spike'] as const

const SAME_TIME = 1
const INACCURATE = 2
const SPIKE = 3

/** For each of all points why it is not used, as an index into `LEFT_OUT_CODES`; 0 where it is. */
export function leftOutPoints(points: PointColumns, { accepted, indexes }: ExaminedTrack): Uint8Array {
  const codes = new Uint8Array(points.count).fill(SAME_TIME)
  for (const index of accepted.indexes) codes[index] = SPIKE
  for (const index of indexes) codes[accepted.indexes[index]] = 0
  for (let start = 0, end = 0; start < points.count; start = end) {
    while (end < points.count && points.timeMs[end] === points.timeMs[start]) end++
    const best = bestIfNoneAccepted(points, codes, start, end)
    if (best !== undefined) codes[best] = INACCURATE
  }
  return codes
}

/** Of points of one time, none of them accepted, the one that was looked at and was not accurate enough. */
function bestIfNoneAccepted(points: PointColumns, codes: Uint8Array, start: number, end: number): number | undefined {
  let best = start
  for (let i = start; i < end; i++) {
    if (codes[i] !== SAME_TIME) return undefined
    if (points.accuracy[i] < points.accuracy[best]) best = i
  }
  return best
}
