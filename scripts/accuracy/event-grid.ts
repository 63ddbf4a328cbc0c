import { type CourseLine, heightsOfLine, type KnownHeights } from '../../src/tracks/statistics/course-line.ts'
import { evenLine, eventHeights, heightsAlong } from '../../src/tracks/statistics/event-heights.ts'
import { examineTrack } from '../../src/tracks/statistics/examined-track.ts'
import { computeStatistics } from '../../src/tracks/statistics/statistics.ts'
import { normalNumbers } from '../../test/support/wandering-noise.ts'
import type { ActivityFile, ActivityPoint } from '../activity-file/activity-file.ts'
import { courseLine } from './course-grid.ts'
import { both, type Degradation, withAltitudeNoise, withPositionNoise } from './degrade.ts'
import { columnsOf, percent, type Recording, recordingsOf, SEEDS } from './noise-grid.ts'
import { table } from './table.ts'

const PEOPLE = [5, 10, 25]
const MOST_PEOPLE = 25
const COURSES_METERS = [2, 4]
/** Errors of a phone: of its altitudes, those that stay alike for so long, and a constant one; of its positions. */
const PHONE = { meters: 4, overSec: 30, constantMeters: 6, positionMeters: 4, positionOverSec: 20 }
/** Phones of an event whose climbs are compared with the device: a few, so that the mean is not of one. */
const COMPARED = 3
/** The slowest goes at this part of the recording's pace, the fastest at so many times it. */
const PACES = [0.8, 1.25]

/** Errors of climbs, as a share of the device's, and of the heights that served for them, in metres. */
type Cell = { climb: number[]; meters: number[] }
type Row = { title: string; cells: Cell[] }

/** Measures climbs and heights from the phones of an event, along courses with errors of two sizes. */
export function eventGrid(files: readonly { name: string; device: ActivityFile }[]): string {
  const rows: Row[] = ['the phone alone', 'the course', ...PEOPLE.map(String), 'exact heights'].map((title) => ({
    title,
    cells: COURSES_METERS.map(() => ({ climb: [], meters: [] })),
  }))
  for (const recording of recordingsOf(files)) {
    for (const seed of SEEDS) {
      const phones = Array.from({ length: MOST_PEOPLE }, (_, i) => phoneOf(recording, seed + 7919 * i))
      COURSES_METERS.forEach((meters, course) => {
        const cells = rows.map((row) => row.cells[course])
        measureEvent(recording, { phones, meters, seed: recording.seed + seed }, cells)
      })
    }
  }
  return table(
    ['people', ...COURSES_METERS.flatMap((meters) => [`course ± ${meters} m: its heights`, 'climb'])],
    rows.map(({ title, cells }) => [title, ...cells.flatMap(({ meters, climb }) => [mean(meters), percent(climb, 1)])]),
  )
}

/** The phones of an event, and the error of its course. */
type Event = { phones: ActivityPoint[][]; meters: number; seed: number }

function measureEvent(recording: Recording, { phones, meters, seed }: Event, cells: readonly Cell[]): void {
  const line = evenLine(courseLine(recording, { meters, overMeters: 100 }, seed))
  const truth = evenLine(courseLine(recording, { meters: 0, overMeters: 100 }, seed))
  const [alone, along, ...together] = cells
  const settings = { activityType: recording.activityType, maxAccuracyMeters: 50 }
  const heightsOf = heightsAlong(line)
  const heights = phones.map((points) => {
    const { altitudes, trace } = examineTrack(columnsOf(points), [], settings)
    return heightsOf(altitudes, trace)
  })
  const compare = (cell: Cell, course?: KnownHeights) => {
    for (const points of phones.slice(0, COMPARED)) {
      const { elevation_gain_m } = computeStatistics(columnsOf(points), [], { ...settings, course })
      cell.climb.push(Math.abs(elevation_gain_m / recording.ascentMeters - 1))
    }
  }
  compare(alone)
  compare(along, heightsOfLine(line))
  along.meters.push(deviationOf(line, truth))
  PEOPLE.forEach((people, i) => {
    const altitude = eventHeights(line, heights.slice(0, people)) ?? line.altitude
    compare(together[i], heightsOfLine({ ...line, altitude }, 'event'))
    together[i].meters.push(deviationOf({ ...line, altitude }, truth))
  })
  compare(cells[cells.length - 1], heightsOfLine(truth, 'event'))
}

/** Returns the points of one who went along a recording with a phone, at a pace of their own. */
function phoneOf({ points, seed: own }: Recording, seed: number): ActivityPoint[] {
  const normal = normalNumbers(own ^ seed)
  const constant = normal() * PHONE.constantMeters
  const [slowest, fastest] = PACES
  // Normal values are mostly within two deviations.
  const share = Math.min(1, Math.max(0, (normal() + 2) / 4))
  const pace = slowest + share * (fastest - slowest)
  const degrade = both(
    both(atPace(pace), withAltitudeNoise(PHONE.meters, PHONE.overSec, own ^ (seed + 1))),
    withPositionNoise(
      { meters: PHONE.positionMeters, overSec: PHONE.positionOverSec, aloneMeters: 0.3 },
      own ^ (seed + 2),
    ),
  )
  return degrade(points).map((point) =>
    point.altitude === undefined ? point : { ...point, altitude: point.altitude + constant },
  )
}

/** Changes the times of points as for one who is so many times as fast. */
function atPace(pace: number): Degradation {
  return (points) => {
    const startMs = Date.parse(points[0].timestamp)
    return points.map((point) => ({
      ...point,
      timestamp: new Date(startMs + (Date.parse(point.timestamp) - startMs) / pace).toISOString(),
    }))
  }
}

/** Returns the standard deviation of heights from the true ones: a constant error makes no climb. */
function deviationOf(line: CourseLine, truth: CourseLine): number {
  const apart = line.altitude.map((meters, i) => meters - truth.altitude[i]).filter((meters) => !Number.isNaN(meters))
  const middle = apart.reduce((sum, meters) => sum + meters, 0) / apart.length
  return Math.sqrt(apart.reduce((sum, meters) => sum + (meters - middle) ** 2, 0) / apart.length)
}

function mean(meters: readonly number[]): string {
  return meters.length === 0 ? '' : `${(meters.reduce((sum, value) => sum + value, 0) / meters.length).toFixed(2)} m`
}
