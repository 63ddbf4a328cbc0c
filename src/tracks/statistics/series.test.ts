import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEVICE_FILES, pointsOf, readDeviceFile } from '../../../test/support/read-device-file.ts'
import {
  columnsOf,
  DEGREES_PER_METER,
  northward,
  TEST_START_MS,
  type TestPoint,
} from '../../../test/support/track-columns.ts'
import { examineTrack } from './examined-track.ts'
import { computeSeries, longStops } from './series.ts'
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
      assert.equal(series.distanceMeters.at(-1), statistics.distance_meters)
      assert.equal(series.elevationMethod, statistics.method.elevation)
      const altitudes = series.altitudeSmoothed.filter((meters) => !Number.isNaN(meters))
      assert.ok(Math.max(...altitudes) <= statistics.max_altitude_m!)
      assert.ok(Math.min(...altitudes) >= statistics.min_altitude_m!)
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
        [statistics.max_altitude_m, statistics.max_altitude_m],
      )
      assert.deepEqual([altitude[lowest!.index], lowest!.value], [statistics.min_altitude_m, statistics.min_altitude_m])
      assert.ok(!Number.isNaN(altitudeSmoothed[highest!.index]))
      assert.ok(fastest!.index >= 0)
      assert.equal(fastest!.value, statistics.max_speed_mps)
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

/** Returns the stops of a track as the seconds in which they begin and end. */
function stopsOf(points: TestPoint[], pauses: { fromMs: number; toMs: number }[] = []) {
  const track = examineTrack(columnsOf(points), pauses, SETTINGS)
  const secOf = (index: number) => (track.trace.timeMs[index] - TEST_START_MS) / 1000
  return longStops(track).map(({ from, to }) => [secOf(from), secOf(to)])
}

/** A run of 3 m/s with a point every 5 s that stands from second 1000 for some seconds, `sway` metres to and fro. */
const runWithStop = (stopSec: number, sway = 0) =>
  northward(600, 5, (i) => 3 * (Math.min(5 * i, 1000) + Math.max(0, 5 * i - 1000 - stopSec))).map((point, i) =>
    point.sec > 1000 && point.sec < 1000 + stopSec
      ? { ...point, longitude: Math.sin(i) * sway * DEGREES_PER_METER }
      : point,
  )

/** Asserts that there is one stop, within 15 s of a time. */
function assertStop(stops: number[][], from: number, to: number) {
  assert.equal(stops.length, 1, JSON.stringify(stops))
  const [[first, last]] = stops
  assert.ok(Math.abs(first - from) <= 15 && Math.abs(last - to) <= 15, `${first} to ${last}, not ${from} to ${to}`)
}

describe('longStops', () => {
  test('finds a stop of a phone that lies still, and of one whose positions wander', () => {
    assertStop(stopsOf(runWithStop(1320)), 1000, 2320)
    assertStop(stopsOf(runWithStop(1320, 12)), 1000, 2320)
  })

  test('finds a stop during which the phone recorded nothing, or a point now and then', () => {
    const standing = ({ sec }: TestPoint) => sec > 1000 && sec < 2320
    const points = runWithStop(1320, 12)

    assertStop(stopsOf(points.filter((point) => !standing(point))), 1000, 2320)
    assertStop(stopsOf(points.filter((point) => !standing(point) || point.sec % 600 < 10)), 1000, 2320)
  })

  test('finds an interruption over which the phone was carried slowly', () => {
    const points = northward(600, 5, (i) => (i < 200 ? 15 * i : 15 * i + 200)).map((point, i) =>
      i < 200 ? point : { ...point, sec: point.sec + 3600 },
    )

    assertStop(stopsOf(points), 995, 4600)
  })

  test('leaves out short stops, slow climbs and declared pauses', () => {
    assert.deepEqual(stopsOf(runWithStop(150)), [])
    assert.deepEqual(stopsOf(northward(600, 5, (i) => i * 1.2)), [])
    const pause = { fromMs: TEST_START_MS + 1_001_000, toMs: TEST_START_MS + 2_319_000 }
    assert.deepEqual(stopsOf(runWithStop(1320), [pause]), [])
  })

  test('finds each of several stops, and none without points', () => {
    const twice = [...runWithStop(300), ...runWithStop(300).map((point) => ({ ...point, sec: point.sec + 10_000 }))]

    assert.deepEqual(stopsOf([]), [])
    assert.equal(stopsOf(twice).length, 2)
  })
})
