import { type PointColumns, pickPoints } from './point-columns.ts'
import { CHOICE_FIELDS, NUMBER_FIELDS } from './point-fields.ts'

// The canonical order of points: by time, then by the numbers and then by the choices of
// the table of fields. It depends only on the points,
// so a set of points has one order however it arrived. Numbers compare by value; -0 comes before 0 and an absent value
// after all others, so only points equal in every bit are equal.

/** Compares point `i` of one set with point `j` of the other: negative, positive, or zero when every field is equal. */
type PointComparator = (i: number, j: number) => number

/** Returns a comparator of the points of `a` with those of `b`. */
export function pointComparator(a: PointColumns, b: PointColumns): PointComparator {
  // Looking columns up by name for each comparison is several times slower.
  const numbersA = NUMBER_FIELDS.map(({ column }) => a[column])
  const numbersB = NUMBER_FIELDS.map(({ column }) => b[column])
  const choicesA = CHOICE_FIELDS.map(({ column }) => a[column])
  const choicesB = CHOICE_FIELDS.map(({ column }) => b[column])
  const timesA = a.timeMs
  const timesB = b.timeMs
  return (i, j) => {
    const byTime = timesA[i] - timesB[j]
    if (byTime !== 0) return byTime
    for (let place = 0; place < numbersA.length; place++) {
      const x = numbersA[place][i]
      const y = numbersB[place][j]
      if (x === y && x !== 0) continue
      const byNumber = compareNumbers(x, y)
      if (byNumber !== 0) return byNumber
    }
    for (let place = 0; place < choicesA.length; place++) {
      const byChoice = choicesA[place][i] - choicesB[place][j]
      if (byChoice !== 0) return byChoice
    }
    return 0
  }
}

/** Returns the points in canonical order: the same object when they are already in it, which they usually are. */
export function sortPoints(points: PointColumns): PointColumns {
  if (isSorted(points)) return points
  const order = orderByTime(points.timeMs)
  orderTies(points, order)
  return pickPoints(points, order)
}

function compareNumbers(x: number, y: number): number {
  if (x < y) return -1
  if (x > y) return 1
  if (Object.is(x, y)) return 0
  // What remains are zeros of different signs, and an absent value next to another.
  if (x === y) return Object.is(x, -0) ? -1 : 1
  return Number.isNaN(x) ? 1 : -1
}

function isSorted(points: PointColumns): boolean {
  const { count, timeMs } = points
  let compare: PointComparator | undefined
  for (let i = 1; i < count; i++) {
    if (timeMs[i] > timeMs[i - 1]) continue
    compare ??= pointComparator(points, points)
    if (compare(i - 1, i) > 0) return false
  }
  return true
}

/** Returns the indexes of the points by time; those of equal times in any order. */
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
  const compare = pointComparator(points, points)
  for (let start = 0; start < count; ) {
    let end = start + 1
    while (end < count && timeMs[order[end]] === timeMs[order[start]]) end++
    if (end - start > 1) order.subarray(start, end).sort(compare)
    start = end
  }
}
