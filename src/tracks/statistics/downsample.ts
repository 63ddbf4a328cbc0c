import type { ShownPart } from '../model/track-state.ts'
import { type PointColumns, pointsWithin } from '../points/point-columns.ts'
import { examineTrack, type StatisticsSettings } from './examined-track.ts'
import type { Trace } from './trace.ts'

/** Maximum number of points that a bucket keeps, including its first one. */
const KEPT_PER_BUCKET = 5

type DownsampleInput = {
  trace: Trace
  /** Altitudes and speeds whose extremes are kept; NaN for points without one. */
  altitudes: Float64Array
  speeds: Float64Array
  /** First points of runs: both sides of a gap are kept while there is room. */
  starts: Int32Array
  /** Points that are always kept, because figures refer to them. */
  marked?: readonly number[]
}

/**
 * Returns the indexes of at most `maxPoints` points that preserve the shape of the track: from each bucket of equally
 * many points the first, the one furthest from the straight line through the bucket, the lowest, the highest and the
 * fastest. A mean, or every n-th point, would cut the summits off.
 */
export function downsampleTrack(input: DownsampleInput, maxPoints: number): Int32Array {
  const { count } = input.trace
  if (count <= maxPoints) return Int32Array.from({ length: count }, (_, i) => i)
  const chosen = new Uint8Array(count)
  chosen[0] = 1
  chosen[count - 1] = 1
  const marked = input.marked ?? []
  for (const index of marked) chosen[index] = 1
  const gapRoom = Math.floor(maxPoints / 4)
  const gaps = input.starts.subarray(1)
  if (gaps.length * 2 <= gapRoom) for (const start of gaps) chosen[start - 1] = chosen[start] = 1
  const room = maxPoints - 2 - marked.length - (gaps.length * 2 <= gapRoom ? gaps.length * 2 : 0)
  const buckets = Math.max(1, Math.floor(room / KEPT_PER_BUCKET))
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = Math.floor((bucket * count) / buckets)
    chooseFrom(input, chosen, start, Math.floor(((bucket + 1) * count) / buckets))
  }
  return indexesOf(chosen)
}

function chooseFrom(input: DownsampleInput, chosen: Uint8Array, start: number, end: number): void {
  if (end <= start) return
  const { trace, altitudes, speeds } = input
  let [low, high, fast, far] = [start, start, start, start]
  let furthest = -1
  for (let i = start; i < end; i++) {
    if (!(altitudes[i] >= altitudes[low])) low = Number.isNaN(altitudes[i]) ? low : i
    if (!(altitudes[i] <= altitudes[high])) high = Number.isNaN(altitudes[i]) ? high : i
    if (!(speeds[i] <= speeds[fast])) fast = Number.isNaN(speeds[i]) ? fast : i
    const away = awayFromChord(trace, start, end - 1, i)
    if (away > furthest) [furthest, far] = [away, i]
  }
  for (const index of [start, low, high, fast, far]) chosen[index] = 1
}

/** Returns the squared distance of a point from the line between two others, in degrees of a locally flat map. */
function awayFromChord({ latitude, longitude }: Trace, from: number, to: number, index: number): number {
  const scale = Math.cos((latitude[from] * Math.PI) / 180)
  const [x, y] = [(longitude[index] - longitude[from]) * scale, latitude[index] - latitude[from]]
  const [chordX, chordY] = [(longitude[to] - longitude[from]) * scale, latitude[to] - latitude[from]]
  const length = chordX * chordX + chordY * chordY
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (x * chordX + y * chordY) / length))
  return (x - share * chordX) ** 2 + (y - share * chordY) ** 2
}

function indexesOf(chosen: Uint8Array): Int32Array {
  let count = 0
  for (const isChosen of chosen) count += isChosen
  const indexes = new Int32Array(count)
  let at = 0
  for (let i = 0; i < chosen.length; i++) if (chosen[i] === 1) indexes[at++] = i
  return indexes
}

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
