import { emptyColumns, type PointColumns } from '../../src/tracks/points/point-columns.ts'
import { computeStatistics } from '../../src/tracks/statistics/statistics.ts'
import type { ActivityFile, ActivityPoint } from '../activity-file/activity-file.ts'
import { type DeviceFigure, deviceFigures } from './comparable.ts'
import { both, type Degradation, thinned, withAltitudeNoise } from './degrade.ts'
import { table } from './table.ts'

const SIGMAS_METERS = [0.3, 1, 2, 4, 6]
const CORRELATIONS_SEC = [10, 20, 30, 60]
const INTERVALS_SEC = [5, 10, 30]
/** Correlation of the errors where the interval of the points varies. */
const USUAL_CORRELATION_SEC = 30

/** Seeds of the errors. The parameters of the estimator were chosen with others. */
const SEEDS = [19_450_803, 5_318_008, 86_028_121]

/** A recording whose device has counted an ascent. */
type Recording = Pick<ActivityFile, 'points' | 'activityType'> & { ascentMeters: number; seed: number }

/** Measures the elevation gain under errors of many kinds, and formats two tables of mean absolute errors. */
export function noiseGrid(files: readonly { name: string; device: ActivityFile }[]): string {
  const recordings = files.flatMap(({ name, device }) => recordingOf(name, device) ?? [])
  const cell = (degradeWith: (seed: number) => Degradation) => meanError(recordings, degradeWith)
  const clean = cell(() => (points) => [...points])
  const byCorrelation = SIGMAS_METERS.map((sigma) => [
    `± ${sigma} m`,
    ...CORRELATIONS_SEC.map((sec) => cell((seed) => withAltitudeNoise(sigma, sec, seed))),
  ])
  const byInterval = [0, ...SIGMAS_METERS].map((sigma) => [
    sigma === 0 ? 'as recorded' : `± ${sigma} m`,
    ...INTERVALS_SEC.map((sec) =>
      cell((seed) => both(thinned(sec), withAltitudeNoise(sigma, USUAL_CORRELATION_SEC, seed))),
    ),
  ])
  return [
    table(
      ['errors that last', ...CORRELATIONS_SEC.map((sec) => `${sec} s`)],
      [['as recorded', ...CORRELATIONS_SEC.map(() => clean)], ...byCorrelation],
    ),
    table(['a point every', ...INTERVALS_SEC.map((sec) => `${sec} s`)], byInterval),
  ].join('\n\n')
}

function recordingOf(name: string, device: ActivityFile): Recording | undefined {
  const ascentMeters: DeviceFigure = deviceFigures(device).gainMeters
  if (typeof ascentMeters === 'string') return undefined
  const points = device.points.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  return { points, activityType: device.activityType, ascentMeters, seed: seedOf(name) }
}

/** Returns a number for a name, so that every file has errors of its own (FNV-1a). */
function seedOf(name: string): number {
  let seed = 2_166_136_261
  for (const character of name) seed = Math.imul(seed ^ character.charCodeAt(0), 16_777_619)
  return seed >>> 0
}

function meanError(recordings: readonly Recording[], degradeWith: (seed: number) => Degradation): string {
  const errors = recordings.flatMap(({ points, activityType, ascentMeters, seed }) =>
    SEEDS.map((other) => {
      const columns = columnsOf(degradeWith(seed ^ other)(points))
      const { elevationGainMeters } = computeStatistics(columns, [], { activityType, maxAccuracyMeters: 50 })
      return Math.abs(elevationGainMeters / ascentMeters - 1)
    }),
  )
  return `${((errors.reduce((sum, error) => sum + error, 0) / errors.length) * 100).toFixed(1)} %`
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
