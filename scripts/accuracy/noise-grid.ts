import { emptyColumns, type PointColumns } from '../../src/tracks/points/point-columns.ts'
import type { KnownHeights } from '../../src/tracks/statistics/course-line.ts'
import { computeStatistics } from '../../src/tracks/statistics/statistics.ts'
import type { ActivityFile, ActivityPoint } from '../activity-file/activity-file.ts'
import { type DeviceFigure, deviceFigures } from './comparable.ts'
import { both, type Degradation, inWholeMeters, thinned, withAltitudeNoise } from './degrade.ts'
import { table } from './table.ts'

const SIGMAS_METERS = [0.3, 1, 2, 4, 6]
const CORRELATIONS_SEC = [10, 20, 30, 60]
const INTERVALS_SEC = [5, 10, 30]
/** Correlation of the errors where the interval of the points varies. */
const USUAL_CORRELATION_SEC = 30

/** Seeds of the errors. The parameters of the estimator were chosen with others. */
export const SEEDS = [19_450_803, 5_318_008, 86_028_121]

/** A recording whose device has counted an ascent. */
export type Recording = Pick<ActivityFile, 'points' | 'activityType'> & {
  ascentMeters: number
  descentMeters: number | undefined
  seed: number
}

/** Results for one kind of errors, over all recordings and seeds. */
type Cell = { errors: number[]; isGainHeld: boolean[]; isLossHeld: boolean[]; halfWidths: number[] }

/** Tables of mean absolute errors of the elevation gain, and of how often its interval held the total of the device. */
export type NoiseGrid = { noise: string; intervals: string }

/** Returns the recordings of the files whose device has counted an ascent. */
export function recordingsOf(files: readonly { name: string; device: ActivityFile }[]): Recording[] {
  return files.flatMap(({ name, device }) => recordingOf(name, device) ?? [])
}

/** Measures the elevation gain and its interval under errors of many kinds. */
export function noiseGrid(files: readonly { name: string; device: ActivityFile }[]): NoiseGrid {
  const recordings = recordingsOf(files)
  const cell = (degradeWith: (seed: number) => Degradation) => measureAll(recordings, degradeWith)
  const clean = cell(() => (points) => [...points])
  const byCorrelation = [
    { title: 'as recorded', cells: CORRELATIONS_SEC.map(() => clean) },
    ...SIGMAS_METERS.map((sigma) => ({
      title: `± ${sigma} m`,
      cells: CORRELATIONS_SEC.map((sec) => cell((seed) => withAltitudeNoise(sigma, sec, seed))),
    })),
  ]
  const byInterval = [0, ...SIGMAS_METERS].map((sigma) => ({
    title: sigma === 0 ? 'as recorded' : `± ${sigma} m`,
    cells: [
      cell((seed) => both(withAltitudeNoise(sigma, USUAL_CORRELATION_SEC, seed), inWholeMeters)),
      ...INTERVALS_SEC.map((sec) =>
        cell((seed) => both(thinned(sec), withAltitudeNoise(sigma, USUAL_CORRELATION_SEC, seed))),
      ),
    ],
  }))
  const all = [
    clean,
    ...byCorrelation.slice(1).flatMap(({ cells }) => cells),
    ...byInterval.flatMap(({ cells }) => cells),
  ]
  const tables = (said: (cell: Cell) => string) =>
    [
      table(
        ['errors that last', ...CORRELATIONS_SEC.map((sec) => `${sec} s`)],
        byCorrelation.map(({ title, cells }) => [title, ...cells.map(said)]),
      ),
      table(
        ['a point every', 'as recorded, in whole metres', ...INTERVALS_SEC.map((sec) => `${sec} s`)],
        byInterval.map(({ title, cells }) => [title, ...cells.map(said)]),
      ),
    ].join('\n\n')
  return {
    noise: tables(({ errors }) => percent(errors, 1)),
    intervals: `${tables(({ isGainHeld }) => percent(isGainHeld, 0))}\n\n${inAll(all)}`,
  }
}

function inAll(cells: readonly Cell[]): string {
  const gain = percent(
    cells.flatMap(({ isGainHeld }) => isGainHeld),
    1,
  )
  const loss = percent(
    cells.flatMap(({ isLossHeld }) => isLossHeld),
    1,
  )
  const half = percent(
    cells.flatMap(({ halfWidths }) => halfWidths),
    0,
  )
  return `In all: ${gain} of the gains and ${loss} of the losses; the mean half of an interval is ${half} of the gain.`
}

/** Returns the mean of shares in percent. */
export function percent(values: readonly (number | boolean)[], digits: number): string {
  const mean = values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length
  return `${(mean * 100).toFixed(digits)} %`
}

function recordingOf(name: string, device: ActivityFile): Recording | undefined {
  const ascentMeters: DeviceFigure = deviceFigures(device).gainMeters
  if (typeof ascentMeters === 'string') return undefined
  const { activityType, totals } = device
  const points = device.points.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  return { points, activityType, ascentMeters, descentMeters: totals.descentMeters, seed: seedOf(name) }
}

/** Returns a number for a name, so that every file has errors of its own (FNV-1a). */
function seedOf(name: string): number {
  let seed = 2_166_136_261
  for (const character of name) seed = Math.imul(seed ^ character.charCodeAt(0), 16_777_619)
  return seed >>> 0
}

/** Computes the figures of all recordings and seeds, with known heights if some are made. */
export function measureAll(
  recordings: readonly Recording[],
  degradeWith: (seed: number) => Degradation,
  makeHeights: (recording: Recording, seed: number) => KnownHeights | undefined = () => undefined,
): Cell {
  const cell: Cell = { errors: [], isGainHeld: [], isLossHeld: [], halfWidths: [] }
  for (const recording of recordings) {
    const { points, activityType, ascentMeters, descentMeters, seed } = recording
    for (const other of SEEDS) {
      const columns = columnsOf(degradeWith(seed ^ other)(points))
      const known = makeHeights(recording, seed + other)
      const source = known?.source === 'terrain' ? 'terrain' : 'course'
      const statistics = computeStatistics(columns, [], { activityType, maxAccuracyMeters: 50, [source]: known })
      const { elevation_gain_m, elevation_gain_interval_m, elevation_loss_interval_m } = statistics
      cell.errors.push(Math.abs(elevation_gain_m / ascentMeters - 1))
      if (elevation_gain_interval_m === undefined || elevation_loss_interval_m === undefined) continue
      cell.isGainHeld.push(isWithin(ascentMeters, elevation_gain_interval_m))
      cell.halfWidths.push((elevation_gain_interval_m[1] - elevation_gain_m) / elevation_gain_m)
      if (descentMeters !== undefined) cell.isLossHeld.push(isWithin(descentMeters, elevation_loss_interval_m))
    }
  }
  return cell
}

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return low <= value && value <= high
}

/** Returns the columns of points in the order of time. */
export function columnsOf(points: readonly ActivityPoint[]): PointColumns {
  const columns = emptyColumns(points.length)
  points.forEach((point, i) => {
    columns.timeMs[i] = Date.parse(point.timestamp)
    columns.latitude[i] = point.latitude
    columns.longitude[i] = point.longitude
    columns.altitude[i] = point.altitude ?? Number.NaN
    columns.accuracy[i] = point.accuracy ?? Number.NaN
    columns.speedMps[i] = point.speed_mps ?? Number.NaN
  })
  return columns
}
