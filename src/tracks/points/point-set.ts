import { allocateColumns, NUMBER_COLUMNS, type PointColumns, pickPoints } from './point-columns.ts'
import { comparePoints } from './point-order.ts'

// Stored points are a multiset in which each point, equal in all its fields, is held as often as the request that had
// it most often. So sending points again, in any cut, changes nothing, and copies within one request are kept. All
// points here are in canonical order (point-order.ts).

/** The points of `sent` beyond what `stored` holds: all copies over the stored number; `sent` itself when all are. */
export function addedPoints(stored: PointColumns, sent: PointColumns): PointColumns {
  const added = new Uint32Array(sent.count)
  let count = 0
  let known = sent.count > 0 ? firstIndexAtOrAfter(stored, sent.timeMs[0]) : 0
  for (let i = 0; i < sent.count; i++) {
    let order = 1
    while (known < stored.count) {
      order = comparePoints(stored, known, sent, i)
      if (order >= 0) break
      known++
    }
    // A stored copy answers for one sent copy only.
    if (known < stored.count && order === 0) known++
    else added[count++] = i
  }
  return count === sent.count ? sent : pickPoints(sent, added.subarray(0, count))
}

/** All points of both, in canonical order; points in both stay twice. */
export function mergePoints(a: PointColumns, b: PointColumns): PointColumns {
  const order = new Uint32Array(a.count + b.count)
  let fromA = 0
  let fromB = 0
  for (let i = 0; i < order.length; i++) {
    const takeA = fromB === b.count || (fromA < a.count && comparePoints(a, fromA, b, fromB) <= 0)
    order[i] = takeA ? fromA++ : a.count + fromB++
  }
  return pickPoints(concatColumns([a, b]), order)
}

/** The points of all, one after another; the very object when there is but one. */
export function concatColumns(list: readonly PointColumns[]): PointColumns {
  if (list.length === 1) return list[0]
  const all = allocateColumns(list.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const points of list) {
    for (const name of ['timeMs', ...NUMBER_COLUMNS, 'origin'] as const) all[name].set(points[name], at)
    at += points.count
  }
  return all
}

/** Index of the first point at or after a time; the number of points when there is none. Times are ascending. */
export function firstIndexAtOrAfter({ count, timeMs }: Pick<PointColumns, 'count' | 'timeMs'>, time: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeMs[middle] < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the first point after a time; the number of points when there is none. Times are whole and ascending. */
export function firstIndexAfter(points: Pick<PointColumns, 'count' | 'timeMs'>, time: number): number {
  return firstIndexAtOrAfter(points, time + 1)
}
