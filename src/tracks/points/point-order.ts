import { type PointColumns, pickPoints } from './point-columns.ts'

// The canonical order of points: by time, then by every other field in its stored order. It depends on nothing but the
// points, so a set of points has one order however it arrived. Numbers compare by value; -0 comes before 0 and an
// absent value after all others, so that only points equal in every bit are equal.

/** Order of point `i` of `a` and point `j` of `b`: negative, zero when they are equal in every field, or positive. */
export function comparePoints(a: PointColumns, i: number, b: PointColumns, j: number): number {
  const byTime = a.timeMs[i] - b.timeMs[j]
  return byTime !== 0 ? byTime : compareFields(a, i, b, j)
}

/** Whether point `i` of `a` and point `j` of `b` have the same bits in every field. */
export function pointsEqual(a: PointColumns, i: number, b: PointColumns, j: number): boolean {
  return a.timeMs[i] === b.timeMs[j] && compareFields(a, i, b, j) === 0
}

/** The points in canonical order: the same object when they are in it already, which they usually are. */
export function sortPoints(points: PointColumns): PointColumns {
  if (isSorted(points)) return points
  const order = orderByTime(points.timeMs)
  orderTies(points, order)
  return pickPoints(points, order)
}

function compareFields(a: PointColumns, i: number, b: PointColumns, j: number): number {
  // Written out, because looking columns up by name is several times slower.
  return (
    compareNumbers(a.latitude[i], b.latitude[j]) ||
    compareNumbers(a.longitude[i], b.longitude[j]) ||
    compareNumbers(a.altitude[i], b.altitude[j]) ||
    compareNumbers(a.accuracy[i], b.accuracy[j]) ||
    compareNumbers(a.speedMps[i], b.speedMps[j]) ||
    compareNumbers(a.heading[i], b.heading[j]) ||
    compareNumbers(a.battery[i], b.battery[j]) ||
    a.origin[i] - b.origin[j]
  )
}

function compareNumbers(x: number, y: number): number {
  if (x < y) return -1
  if (x > y) return 1
  if (Object.is(x, y)) return 0
  // Left are zeros of different signs, and an absent value beside another.
  if (x === y) return Object.is(x, -0) ? -1 : 1
  return Number.isNaN(x) ? 1 : -1
}

function isSorted(points: PointColumns): boolean {
  const { count, timeMs } = points
  for (let i = 1; i < count; i++) {
    if (timeMs[i] > timeMs[i - 1]) continue
    if (comparePoints(points, i - 1, points, i) > 0) return false
  }
  return true
}

/** Indexes of the points by time; those of equal times in any order. */
function orderByTime(timeMs: Float64Array): Uint32Array {
  const count = timeMs.length
  let firstMs = timeMs[0]
  let lastMs = firstMs
  for (const time of timeMs) {
    if (time < firstMs) firstMs = time
    if (time > lastMs) lastMs = time
  }
  const order = new Uint32Array(count)
  if ((lastMs - firstMs + 1) * count > Number.MAX_SAFE_INTEGER) {
    for (let i = 0; i < count; i++) order[i] = i
    return order.sort((i, j) => timeMs[i] - timeMs[j])
  }
  // Sorting numbers without a comparator is several times faster: time and index make one number.
  const keys = timeMs.map((time, i) => (time - firstMs) * count + i).sort()
  for (let i = 0; i < count; i++) order[i] = keys[i] % count
  return order
}

function orderTies(points: PointColumns, order: Uint32Array): void {
  const { count, timeMs } = points
  for (let start = 0; start < count; ) {
    let end = start + 1
    while (end < count && timeMs[order[end]] === timeMs[order[start]]) end++
    if (end - start > 1) order.subarray(start, end).sort((i, j) => compareFields(points, i, points, j))
    start = end
  }
}
