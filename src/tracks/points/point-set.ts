import { allocateColumns, type PointColumns, pickPoints, sliceColumns } from './point-columns.ts'
import { FIELDS } from './point-fields.ts'
import { pointComparator } from './point-order.ts'

// Stored points are a multiset. Points equal in every field are held as often as the request with the most copies of
// them had. So sending points again, however they are divided into requests, changes nothing, and copies within one
// request are kept. All points here are in canonical order (point-order.ts).

/** Bounds the comparisons in vain where many times are equal and the points are not. */
const MAX_RUN = 64

/** Returns the copies of points in `sent` that exceed those in `stored`; `sent` itself when that is all of them. */
export function addedPoints(stored: PointColumns, sent: PointColumns): PointColumns {
  const added = new Uint32Array(sent.count)
  let count = 0
  const compare = pointComparator(stored, sent)
  let known = sent.count > 0 ? firstIndexAtOrAfter(stored, sent.timeMs[0]) : 0
  for (let i = 0; i < sent.count; ) {
    const repeated = equalRun(stored, known, sent, i)
    known += repeated
    i += repeated
    if (repeated > 0) continue
    let order = 1
    while (known < stored.count) {
      order = compare(known, i)
      if (order >= 0) break
      known++
    }
    // A stored copy accounts for one sent copy only.
    if (known < stored.count && order === 0) known++
    else added[count++] = i
    i++
  }
  return count === sent.count ? sent : pickPoints(sent, added.subarray(0, count))
}

/**
 * Returns the number of points from `i` in `a` and `j` in `b` on that are equal pair by pair, up to MAX_RUN. Points
 * sent again are mostly such runs, and comparing them column by column is faster than point by point.
 */
function equalRun(a: PointColumns, i: number, b: PointColumns, j: number): number {
  let run = Math.min(MAX_RUN, a.count - i, b.count - j)
  for (const { column } of FIELDS) {
    if (run === 0) return 0
    const valuesA = a[column]
    const valuesB = b[column]
    let equal = 0
    while (equal < run && Object.is(valuesA[i + equal], valuesB[j + equal])) equal++
    run = equal
  }
  return run
}

/** Returns all points of both, in canonical order; points in both stay twice. */
export function mergePoints(a: PointColumns, b: PointColumns): PointColumns {
  const order = new Uint32Array(a.count + b.count)
  const compare = pointComparator(a, b)
  let fromA = 0
  let fromB = 0
  for (let i = 0; i < order.length; i++) {
    const takeA = fromB === b.count || (fromA < a.count && compare(fromA, fromB) <= 0)
    order[i] = takeA ? fromA++ : a.count + fromB++
  }
  return pickPoints(concatColumns([a, b]), order)
}

/** Returns the points of all, one after another; the same object when there is only one. */
export function concatColumns(list: readonly PointColumns[]): PointColumns {
  if (list.length === 1) return list[0]
  const all = allocateColumns(list.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const points of list) {
    for (const { column } of FIELDS) all[column].set(points[column], at)
    at += points.count
  }
  return all
}

/**
 * Returns the index of the first point at or after a time, or the number of points when there is none. Times are
 * ascending.
 */
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

/**
 * Returns the index of the first point after a time, or the number of points when there is none. Times are whole and
 * ascending.
 */
export function firstIndexAfter(points: Pick<PointColumns, 'count' | 'timeMs'>, time: number): number {
  return firstIndexAtOrAfter(points, time + 1)
}

/** Returns the points from one time to another, both included; the same object when that is all of them. */
export function pointsWithin(points: PointColumns, { fromMs, untilMs }: { fromMs: number; untilMs: number }) {
  const start = firstIndexAtOrAfter(points, fromMs)
  const end = Math.max(start, firstIndexAfter(points, untilMs))
  return start === 0 && end === points.count ? points : sliceColumns(points, start, end)
}
