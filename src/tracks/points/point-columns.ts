import {
  CHOICE_FIELDS,
  FIELDS,
  type NamedChoiceField,
  type NamedNumberField,
  NUMBER_FIELDS,
  type PointFields,
  VALUE_FIELDS,
  type ValueColumn,
} from './point-fields.ts'

/**
 * Points as columns: one typed array per field instead of one object per point. Points are validated, stored, merged,
 * summed up and written in this form; no step makes an object of a point.
 */
export type PointColumns = {
  /** Number of points; every array has exactly this length. */
  readonly count: number
} & { readonly [Column in keyof PointFields]: ColumnOf<PointFields[Column]> }

type ColumnOf<Field> = Field extends { kind: 'choice' } ? Uint8Array : Float64Array

const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT
const DOUBLE_COLUMNS = ['timeMs', ...NUMBER_FIELDS.map(({ column }) => column)] as const
const BYTE_COLUMNS = CHOICE_FIELDS.map(({ column }) => column)
const POINT_BYTES = DOUBLE_COLUMNS.length * DOUBLE_BYTES + BYTE_COLUMNS.length

type WritableColumns = { -readonly [Name in keyof PointColumns]: PointColumns[Name] }

/** Copied for all columns, because V8 makes a copy much faster than an object to which properties are added. */
const NO_POINTS = Object.fromEntries([
  ['count', 0],
  ...DOUBLE_COLUMNS.map((column) => [column, new Float64Array(0)]),
  ...BYTE_COLUMNS.map((column) => [column, new Uint8Array(0)]),
]) as WritableColumns

/** Returns columns for `count` points that the caller fills entirely; until then every number is zero. */
export function allocateColumns(count: number): PointColumns {
  // One piece of memory for all: for a batch of ten points, allocating is most of the cost of having columns.
  const memory = new ArrayBuffer(count * POINT_BYTES)
  const points = { ...NO_POINTS, count }
  let at = 0
  for (const column of DOUBLE_COLUMNS) {
    points[column] = new Float64Array(memory, at, count)
    at += count * DOUBLE_BYTES
  }
  for (const column of BYTE_COLUMNS) {
    points[column] = new Uint8Array(memory, at, count)
    at += count
  }
  return points
}

/** Returns columns for `count` points, all zero, with every optional field absent. */
export function emptyColumns(count: number): PointColumns {
  const points = allocateColumns(count)
  for (const { column, isRequired } of NUMBER_FIELDS) if (!isRequired) points[column].fill(Number.NaN)
  return points
}

/** Returns the points from `start` up to but not including `end`, as views on the same memory. */
export function sliceColumns(points: PointColumns, start: number, end: number): PointColumns {
  const slice = { ...NO_POINTS, count: end - start }
  for (const column of DOUBLE_COLUMNS) slice[column] = points[column].subarray(start, end)
  for (const column of BYTE_COLUMNS) slice[column] = points[column].subarray(start, end)
  return slice
}

/** Returns a copy of the points at these indexes, in their order. */
export function pickPoints(points: PointColumns, indexes: Uint32Array): PointColumns {
  const picked = allocateColumns(indexes.length)
  for (const { column } of FIELDS) {
    const from = points[column]
    const to = picked[column]
    for (let i = 0; i < indexes.length; i++) to[i] = from[indexes[i]]
  }
  return picked
}

/** The fields of one point but its time, by their names in JSON; null for absent ones. */
export type PointValues = {
  [Column in ValueColumn as PointFields[Column]['key']]: ValueOf<PointFields[Column]>
}

type ValueOf<Field> = Field extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice | null
  : Field extends { isRequired: true }
    ? number
    : number | null

/** Returns the value of a field of point `i`: a number, a word, or null where the point has none. */
export function fieldValue(
  points: PointColumns,
  i: number,
  field: NamedNumberField | NamedChoiceField,
): number | string | null {
  const value = points[field.column][i]
  if (field.kind === 'choice') return field.choices[value - 1] ?? null
  return Number.isNaN(value) ? null : value
}

/** Returns all fields of point `i` but its time. */
export function pointValues(points: PointColumns, i: number): PointValues {
  const values = VALUE_FIELDS.map((field) => [field.key, fieldValue(points, i, field)])
  return Object.fromEntries(values) as PointValues
}

// Stored points are a multiset. Points equal in every field are held as often as the request with the most copies of
// them had. So sending points again, however they are divided into requests, changes nothing, and copies within one
// request are kept. All points here are in canonical order (point-order.ts).

/** Bounds the comparisons in vain where many times are equal and the points are not. */
const MAX_RUN = 64

/**
 * Returns the copies of points in `sent` that exceed the copies in `stored`; `sent` itself when that is all of them.
 */
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

/** Returns the latest charge of the phone in per cent; undefined if no point tells it. */
export function lastBatteryPercent({ battery }: PointColumns): number | undefined {
  const level = battery.findLast((value) => !Number.isNaN(value))
  return level === undefined ? undefined : Math.round(level * 100)
}

/** Times of points, of which the first `count` count. */
type AscendingTimes = { count: number; timeMs: PointColumns['timeMs'] }

/**
 * Returns the index of the first point at or after a time, or the number of points when there is none. Times are
 * ascending.
 */
export function firstIndexAtOrAfter({ count, timeMs }: AscendingTimes, time: number): number {
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
export function firstIndexAfter(points: AscendingTimes, time: number): number {
  return firstIndexAtOrAfter(points, time + 1)
}

/** Returns the points from one time to another, both included; the same object when that is all of them. */
export function pointsWithin(points: PointColumns, { fromMs, untilMs }: { fromMs: number; untilMs: number }) {
  const start = firstIndexAtOrAfter(points, fromMs)
  const end = Math.max(start, firstIndexAfter(points, untilMs))
  return start === 0 && end === points.count ? points : sliceColumns(points, start, end)
}

// The canonical order of points: by time, then by the numbers and then by the choices of
// the table of fields. It depends only on the points,
// so a set of points has one order however it arrived. Numbers compare by value; -0 comes before 0 and an absent value
// after all others, so only points equal in every bit are equal.

/** Compares point `i` of one set with point `j` of the other: negative, positive, or zero when every field is equal. */
type PointComparator = (i: number, j: number) => number

/** Returns a comparator of points of `a` with points of `b`. */
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
  // The remaining cases are zeros of different signs, and an absent value next to another.
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

/** Returns the indexes of the points by time; points of equal times in any order. */
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
