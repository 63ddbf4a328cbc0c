import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { computeStatistics } from '../../src/tracks/statistics/statistics.ts'
import type { ActivityFile, ActivityPoint } from '../activity-file/activity-file.ts'
import { readActivityFile } from '../activity-file/read-activity-file.ts'
import { deviceFigures, plainSum, relativeError } from './comparable.ts'
import { columnsOf } from './noise-grid.ts'
import type { FigureName, Figures } from './report.ts'

const folder = fileURLToPath(new URL('../../test/data/tracks/', import.meta.url))
const document = fileURLToPath(new URL('../../docs/accuracy.md', import.meta.url))
const names = readdirSync(folder).filter((name) => name.endsWith('.fit'))

const inTimeOrder = (points: readonly ActivityPoint[]) =>
  points.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))

/** Returns the service's figures for a file. */
function figuresOf({ points, activityType }: ActivityFile): Figures {
  const settings = { activityType, maxAccuracyMeters: 50 }
  const statistics = computeStatistics(columnsOf(inTimeOrder(points)), [], settings)
  const { distance_meters, duration_sec, elevation_gain_m, max_speed_mps } = statistics
  return {
    distanceMeters: distance_meters,
    durationSec: duration_sec,
    gainMeters: elevation_gain_m,
    maxSpeedMps: max_speed_mps,
  }
}

async function errorsOf(figure: FigureName): Promise<number[]> {
  const errors = names.map(async (name) => {
    const file = await readActivityFile(folder + name)
    return relativeError(figuresOf(file), deviceFigures(file), figure)
  })
  return (await Promise.all(errors)).filter((error) => error !== undefined)
}

async function meanAbsoluteError(figure: FigureName): Promise<number> {
  const errors = await errorsOf(figure)
  return errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length
}

describe('statistics of recordings with the totals of their devices', () => {
  for (const [figure, aim] of [
    ['distanceMeters', 0.008],
    ['gainMeters', 0.06],
    ['maxSpeedMps', 0.01],
  ] as const) {
    test(`${figure} is within ${aim * 100} % on average`, async () => {
      const error = await meanAbsoluteError(figure)

      assert.ok(error <= aim, `${(error * 100).toFixed(2)} %`)
    })
  }

  test('have the climbs that docs/accuracy.md says; npm run accuracy writes it', async () => {
    const [, table] = readFileSync(document, 'utf8').split('| gain, m |')
    const rows = table.split('\n\n')[0].matchAll(/^\| (\S+\.fit) \| [^|]+ \| ([\d.]+) \|/gm)
    const stated = [...rows].map(([, name, meters]) => ({ name, meters: Number(meters) }))

    assert.equal(stated.length, 8)
    for (const { name, meters } of stated) {
      const { gainMeters } = figuresOf(await readActivityFile(folder + name))
      assert.ok(Math.abs(gainMeters - meters) <= 0.5, `${name}: ${gainMeters} instead of ${meters} m`)
    }
  })

  test('compare only files whose points and totals are of the same track', async () => {
    const reasons = await Promise.all(
      names.map(async (name) => deviceFigures(await readActivityFile(folder + name)).distanceMeters),
    )

    assert.deepEqual(
      reasons.filter((reason) => typeof reason === 'string'),
      ['3.9 % of the way without position', 'damaged file, broken times'],
    )
  })

  test('are read as python-fitparse reads them', async () => {
    const lines = readFileSync(`${folder}totals.csv`, 'utf8').trim().split('\n').slice(1)

    for (const line of lines) {
      const [name, , , points, , , , distance, , elapsed, , ascent] = line.split(',')
      const file = await readActivityFile(folder + name)

      assert.equal(file.points.length, Number(points), name)
      assert.equal(file.totals.distanceMeters, Number(distance), name)
      assert.ok(Math.abs(file.totals.elapsedSec! - Number(elapsed)) < 0.01, name)
      assert.equal(file.totals.ascentMeters ?? 0, Number(ascent), name)
    }
  })
})

describe('plainSum', () => {
  test('sums every leg and every rise, and finds the fastest leg', () => {
    const at = (sec: number, latitude: number, altitude?: number) => ({
      latitude,
      longitude: 0,
      timestamp: new Date(sec * 1000).toISOString(),
      altitude,
    })

    const figures = plainSum([at(0, 0, 5), at(10, 0.001, 9), at(15, 0, 7), at(15, 0), at(25, 0, 8)])

    assert.ok(Math.abs(figures.distanceMeters - 222.39) < 0.01)
    assert.ok(Math.abs(figures.maxSpeedMps! - 22.239) < 0.001)
    assert.deepEqual([figures.gainMeters, figures.durationSec], [4, 25])
  })
})
