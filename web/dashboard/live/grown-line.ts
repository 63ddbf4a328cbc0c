import { closestLongitude, unwrapLongitudes } from '../../map/coordinates.ts'
import { latitudeOf, longitudeOf, mercatorX, mercatorY } from './replay-timeline.ts'

/** A line that grows at its end. Its times are seconds since 1970. */
export type GrownLine = {
  timeSec: number[]
  x: number[]
  y: number[]
  gaps: Set<number>
  /** Positions at its beginning that came as a whole. They stay as they are. */
  pastCount: number
}

/** The line of a track as a replay or a series has it. */
export type PastLine = {
  timeMs: readonly number[]
  longitude: readonly number[]
  latitude: readonly number[]
  /** Indexes of positions before which the way is unknown. */
  gaps?: readonly number[]
}

/** Creates an empty line. */
export function newLine(): GrownLine {
  return { timeSec: [], x: [], y: [], gaps: new Set(), pastCount: 0 }
}

type Added = {
  /** Time at which the position is reached. */
  sec: number
  /** Time for which the runner moves there from the last position, at most. */
  moveSec: number
  /** True if the way there is unknown. */
  isGap: boolean
  longitude: number
  latitude: number
}

/** Adds a position to the end of a line. A runner stays at the last position until the movement to the next begins. */
export function addPosition(line: GrownLine, { sec, moveSec, isGap, longitude, latitude }: Added): void {
  const { timeSec, x, y, gaps } = line
  const last = timeSec.length - 1
  if (last >= 0 && timeSec[last] >= sec) return
  if (last < 0) push(line, sec, mercatorX(longitude), mercatorY(latitude))
  else {
    if (!isGap && sec - moveSec > timeSec[last]) push(line, sec - moveSec, x[last], y[last])
    const lastLongitude = longitudeOf(x[last])
    push(line, sec, mercatorX(closestLongitude(longitude, lastLongitude)), mercatorY(latitude))
    if (isGap) gaps.add(timeSec.length - 1)
  }
}

function push({ timeSec, x, y }: GrownLine, sec: number, mercatorEast: number, mercatorSouth: number): void {
  timeSec.push(sec)
  x.push(mercatorEast)
  y.push(mercatorSouth)
}

/** Puts a line before the positions that were added one by one, in place of an earlier such line. */
export function addPastLine(line: GrownLine, { timeMs, longitude, latitude, gaps = [] }: PastLine): void {
  const untilSec = line.timeSec[line.pastCount] ?? Number.POSITIVE_INFINITY
  const later = timeMs.findIndex((ms) => ms / 1000 >= untilSec)
  const count = later === -1 ? timeMs.length : later
  const longitudes = unwrapLongitudes(longitude.slice(0, count))
  const shift =
    count > 0 && line.x.length > line.pastCount ? turns(longitudeOf(line.x[line.pastCount]), longitudes[count - 1]) : 0
  const own = {
    timeSec: line.timeSec.slice(line.pastCount),
    x: line.x.slice(line.pastCount),
    y: line.y.slice(line.pastCount),
  }
  const ownGaps = [...line.gaps].filter((i) => i >= line.pastCount).map((i) => i - line.pastCount + count)
  line.timeSec = [...timeMs.slice(0, count).map((ms) => ms / 1000), ...own.timeSec]
  line.x = [...longitudes.map(mercatorX), ...own.x.map((x) => x + shift)]
  line.y = [...latitude.slice(0, count).map(mercatorY), ...own.y]
  line.gaps = new Set([...gaps.filter((i) => i < count), ...ownGaps])
  line.pastCount = count
}

/** Returns the whole turns of the world that bring a longitude closest to another one. */
function turns(longitude: number, other: number): number {
  return (closestLongitude(longitude, other) - longitude) / 360
}

/** The newest positions stay as they are, because they are looked at most. */
const KEPT_AT_END = 8

/** Leaves out every second of the positions that were added one by one once they are more than `max`. */
export function thinLine(line: GrownLine, max: number): void {
  const { timeSec, pastCount, gaps } = line
  if (timeSec.length - pastCount <= max) return
  const isKept = (i: number) =>
    i <= pastCount || i >= timeSec.length - KEPT_AT_END || gaps.has(i) || gaps.has(i + 1) || (i - pastCount) % 2 === 0
  const kept = timeSec.flatMap((_, i) => (isKept(i) ? [i] : []))
  line.gaps = new Set(kept.flatMap((from, to) => (gaps.has(from) ? [to] : [])))
  for (const column of ['timeSec', 'x', 'y'] as const) line[column] = kept.map((i) => line[column][i])
}

/** Yields the positions of a line. */
export function* positionsOf({ x, y }: GrownLine): Generator<[longitude: number, latitude: number]> {
  for (let i = 0; i < x.length; i++) yield [longitudeOf(x[i]), latitudeOf(y[i])]
}
