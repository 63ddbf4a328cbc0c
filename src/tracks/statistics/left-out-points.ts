import type { PointColumns } from '../points/point-columns.ts'
import type { ExaminedTrack } from './examined-track.ts'

/** Reasons for leaving a point out, by the codes of `leftOutPoints`; the first is for points that are used. */
export const LEFT_OUT_CODES = [undefined, 'same_time', 'inaccurate', 'spike'] as const

const SAME_TIME = 1
const INACCURATE = 2
const SPIKE = 3

/** Returns the reason for leaving each point out as an index into `LEFT_OUT_CODES`; 0 for points that are used. */
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

/** Returns the best of the points of one time, which was not accurate enough; undefined when one was accepted. */
function bestIfNoneAccepted(points: PointColumns, codes: Uint8Array, start: number, end: number): number | undefined {
  let best = start
  for (let i = start; i < end; i++) {
    if (codes[i] !== SAME_TIME) return undefined
    if (points.accuracy[i] < points.accuracy[best]) best = i
  }
  return best
}
