import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEVICE_FILES, pointsOf, readDeviceFile } from '../../../test/support/read-device-file.ts'
import { columnsOf, northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import { examineTrack } from './examined-track.ts'
import { computeSeries } from './series.ts'
import { computeStatistics } from './statistics.ts'

const SETTINGS = { activityType: 'run', maxAccuracyMeters: 50 } as const

const seriesOf = (points: Parameters<typeof columnsOf>[0], pauses: { fromMs: number; toMs: number }[] = []) => {
  const columns = columnsOf(points)
  return computeSeries(columns, examineTrack(columns, pauses, SETTINGS), 1000)
}

describe('computeSeries', () => {
  for (const name of DEVICE_FILES) {
    test(`of ${name} ends with the distance of the statistics and has their extremes`, async () => {
      const file = await readDeviceFile(name)
      const points = pointsOf(file)
      const settings = { activityType: file.activityType, maxAccuracyMeters: 50 }
      const statistics = computeStatistics(points, [], settings)

      const series = computeSeries(points, examineTrack(points, [], settings), 500)

      assert.ok(series.timeMs.length <= 500)
      assert.equal(series.distanceMeters.at(-1), statistics.distanceMeters)
      assert.equal(series.elevationMethod, statistics.method.elevation)
      const altitudes = series.altitudeSmoothed.filter((meters) => !Number.isNaN(meters))
      assert.ok(Math.max(...altitudes) <= statistics.maxAltitudeMeters!)
      assert.ok(Math.min(...altitudes) >= statistics.minAltitudeMeters!)
    })

    test(`of ${name} has the points of the highest, lowest and fastest, however few points it has`, async () => {
      const file = await readDeviceFile(name)
      const points = pointsOf(file)
      const settings = { activityType: file.activityType, maxAccuracyMeters: 50 }
      const statistics = computeStatistics(points, [], settings)

      const { altitude, altitudeSmoothed, extremes } = computeSeries(points, examineTrack(points, [], settings), 50)

      const { highest, lowest, fastest } = extremes
      assert.deepEqual(
        [altitude[highest!.index], highest!.value],
        [statistics.maxAltitudeMeters, statistics.maxAltitudeMeters],
      )
      assert.deepEqual(
        [altitude[lowest!.index], lowest!.value],
        [statistics.minAltitudeMeters, statistics.minAltitudeMeters],
      )
      assert.ok(!Number.isNaN(altitudeSmoothed[highest!.index]))
      assert.ok(fastest!.index >= 0)
      assert.equal(fastest!.value, statistics.maxSpeedMps)
    })
  }

  test('has a gap at a pause, and no speed across it', () => {
    const pause = { fromMs: TEST_START_MS + 32_000, toMs: TEST_START_MS + 38_000 }

    const { gaps, speedMps } = seriesOf(
      northward(10, 10, (i) => (i < 4 ? i * 30 : 5000 + i * 30)),
      [pause],
    )

    assert.deepEqual(gaps, [{ index: 4, reason: 'pause' }])
    for (const mps of speedMps) assert.equal(Math.round(mps), 3)
  })

  test('has a gap at a jump of the receiver', () => {
    const { gaps } = seriesOf(northward(60, 10, (i) => (i < 30 ? i * 30 : 500_000 + i * 30)))

    assert.deepEqual(gaps, [{ index: 30, reason: 'teleport' }])
  })

  test('uses the speeds of the points when they carry them', () => {
    const series = seriesOf(northward(5, 10, (i) => i * 30).map((point, i) => ({ ...point, speedMps: i + 1 })))

    assert.deepEqual([...series.speedMps], [1, 2, 3, 4, 5])
    assert.equal(series.speedSource, 'points')
  })

  test('has no speed for a single point between gaps', () => {
    assert.deepEqual([...seriesOf([{ sec: 0 }]).speedMps], [Number.NaN])
  })
})
