import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  columnsOf,
  DEGREES_PER_METER,
  northward,
  TEST_START_MS,
  type TestPoint,
} from '../../../test/support/track-columns.ts'
import { wanderingNoise } from '../../../test/support/wandering-noise.ts'
import type { ActivityType } from '../model/track-state.ts'
import { computeStatistics, statisticsToJson } from './statistics.ts'

type Options = { pauses?: [fromSec: number, toSec: number][]; activityType?: ActivityType; maxAccuracyMeters?: number }

function statisticsOf(points: readonly TestPoint[], options: Options = {}) {
  const { pauses = [], activityType = 'run', maxAccuracyMeters = 50 } = options
  const pausesMs = pauses.map(([from, to]) => ({
    fromMs: TEST_START_MS + from * 1000,
    toMs: TEST_START_MS + to * 1000,
  }))
  return computeStatistics(columnsOf(points), pausesMs, { activityType, maxAccuracyMeters })
}

function assertNear(actual: number | undefined, expected: number, tolerance = 1e-6) {
  assert.ok(Math.abs(actual! - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`)
}

const NOTHING_LEFT_OUT = {
  sameTimePoints: 0,
  inaccuratePoints: 0,
  spikePoints: 0,
  altitudes: 0,
  teleportLegs: 0,
  stoppedLegs: 0,
  pausedLegs: 0,
}

describe('computeStatistics', () => {
  test('is all zero without points', () => {
    assert.deepEqual(statisticsOf([]), {
      distanceMeters: 0,
      durationSec: 0,
      elevationGainMeters: 0,
      elevationLossMeters: 0,
      elevationGainInterval: undefined,
      elevationLossInterval: undefined,
      meanSpeedMps: 0,
      paceSecPerKm: 0,
      maxSpeedMps: undefined,
      maxAltitudeMeters: undefined,
      minAltitudeMeters: undefined,
      pointsCount: 0,
      movingTimeSec: 0,
      pausedTimeSec: 0,
      method: {
        version: 8,
        elevation: 'plain',
        altitudeNoiseMeters: undefined,
        altitudeReference: undefined,
        maxSpeed: 'positions',
      },
      leftOut: NOTHING_LEFT_OUT,
    })
  })

  test('counts an altitude that leaps away and back neither as a climb nor as the highest or lowest', () => {
    const points = northward(60, 1, (i) => 2 * i).map((point) => ({ ...point, altitude: 100 }))
    points[30] = { ...points[30], altitude: 400 }
    points[40] = { ...points[40], altitude: -200 }

    const statistics = statisticsOf(points)

    assert.deepEqual([statistics.minAltitudeMeters, statistics.maxAltitudeMeters], [100, 100])
    assert.deepEqual([statistics.elevationGainMeters, statistics.elevationLossMeters], [0, 0])
    assert.equal(statistics.leftOut.altitudes, 2)
  })

  test('reports a leap of altitude that does not come back as the highest', () => {
    const points = northward(60, 1, (i) => 2 * i).map((point, i) => ({ ...point, altitude: i < 30 ? 100 : 400 }))

    assert.equal(statisticsOf(points).maxAltitudeMeters, 400)
  })

  test('reports no altitude that no activity can have', () => {
    const points = northward(3, 10, (i) => 20 * i).map((point, i) => ({ ...point, altitude: [5, 1e6, 7][i] }))

    assert.equal(statisticsOf(points).maxAltitudeMeters, 7)
  })

  test('has no distance, duration and pace with one point, but its speed and altitude', () => {
    const statistics = statisticsOf([{ sec: 0, latitude: 45, longitude: 6, altitude: 0, speedMps: 2.5 }])

    assert.deepEqual(
      [statistics.distanceMeters, statistics.durationSec, statistics.meanSpeedMps, statistics.paceSecPerKm],
      [0, 0, 0, 0],
    )
    assert.deepEqual([statistics.maxSpeedMps, statistics.maxAltitudeMeters, statistics.minAltitudeMeters], [2.5, 0, 0])
  })

  test('adds up a kilometre in five minutes', () => {
    const statistics = statisticsOf(northward(31, 10, (i) => (i * 1000) / 30))

    assertNear(statistics.distanceMeters, 1000)
    assert.equal(statistics.durationSec, 300)
    assertNear(statistics.meanSpeedMps, 1000 / 300)
    assertNear(statistics.paceSecPerKm, 300)
    assertNear(statistics.maxSpeedMps, 1000 / 300)
    assertNear(statistics.movingTimeSec, 300)
  })

  for (const activityType of ['run', 'walk', 'bike', 'hike'] as const) {
    test(`takes an even 111 m a second as it is, for a ${activityType}`, () => {
      const points = Array.from({ length: 20 }, (_, i) => ({ sec: i, latitude: 48 + i * 0.001, longitude: 2 }))

      const statistics = statisticsOf(points, { activityType })

      assertNear(statistics.distanceMeters, (19 * 0.001) / DEGREES_PER_METER, 1e-3)
      assert.deepEqual(statistics.leftOut, NOTHING_LEFT_OUT)
    })
  }

  test('filters nothing from a track of two points', () => {
    const statistics = statisticsOf([
      { sec: 0, latitude: 48.85, longitude: 2.35 },
      { sec: 1, latitude: -33.9, longitude: 151.2 },
    ])

    assert.ok(statistics.distanceMeters > 16_000_000)
    assert.ok(statistics.maxSpeedMps! > 16_000_000)
    assert.deepEqual(statistics.leftOut, NOTHING_LEFT_OUT)
  })

  test('does not sum the jump from a wrong first fix', () => {
    const points = northward(200, 1, (i) => 3 * i)
    points[0].longitude = 50

    const statistics = statisticsOf(points)

    assertNear(statistics.distanceMeters, 3 * 198)
    assert.equal(statistics.leftOut.teleportLegs, 1)
    assert.equal(statistics.durationSec, 199)
  })

  test('leaves a spike out of distance, climb and maximum speed', () => {
    const points = northward(200, 1, (i) => 3 * i).map((point) => ({ ...point, altitude: 100 }))
    points[90] = { ...points[90], longitude: 0.01, altitude: 250 }

    const statistics = statisticsOf(points)

    assertNear(statistics.distanceMeters, 3 * 199)
    assert.equal(statistics.elevationGainMeters, 0)
    assert.equal(statistics.maxAltitudeMeters, 100)
    assertNear(statistics.maxSpeedMps, 3)
    assert.equal(statistics.leftOut.spikePoints, 1)
    assert.equal(statistics.pointsCount, 200)
  })

  test('counts neither distance nor climb of a cable car taken in a pause', () => {
    const before = northward(61, 1, (i) => i).map((point, i) => ({ ...point, altitude: 1000 + i / 10 }))
    const cabin = northward(10, 30, (i) => 60 + 200 * (i + 1)).map((point, i) => ({
      ...point,
      sec: 90 + point.sec,
      altitude: 1006 + 80 * (i + 1),
      speedMps: 7,
    }))
    const after = northward(61, 1, (i) => 2060 + i).map((point, i) => ({
      ...point,
      sec: 400 + point.sec,
      altitude: 1806 - i / 10,
    }))

    const statistics = statisticsOf([...before, ...cabin, ...after], { activityType: 'hike', pauses: [[60, 400]] })

    assertNear(statistics.distanceMeters, 120)
    assertNear(statistics.elevationGainMeters, 6)
    assertNear(statistics.elevationLossMeters, 6)
    assertNear(statistics.maxSpeedMps, 1)
    assertNear(statistics.movingTimeSec, 120)
    assert.equal(statistics.pausedTimeSec, 340)
    assert.equal(statistics.durationSec, 460)
    assert.equal(statistics.leftOut.pausedLegs, 11)
  })

  test('counts the part of an open pause that lies within the track', () => {
    const statistics = statisticsOf(
      northward(11, 10, (i) => 20 * i),
      { pauses: [[40, Number.POSITIVE_INFINITY]] },
    )

    assert.equal(statistics.pausedTimeSec, 60)
    assertNear(statistics.distanceMeters, 80)
  })

  test('counts distance and climb of an interruption that was travelled', () => {
    const points = northward(100, 5, (i) => 15 * i + (i >= 50 ? 900 : 0)).map((point, i) => ({
      ...point,
      sec: point.sec + (i >= 50 ? 300 : 0),
    }))

    assertNear(statisticsOf(points).distanceMeters, 15 * 99 + 900)
  })

  test('rounds half a second up', () => {
    const seconds = [0.499, 0.5, 1.499, 1.5].map((sec) => statisticsOf([{ sec: 0 }, { sec }]).durationSec)

    assert.deepEqual(seconds, [0, 1, 1, 2])
  })

  test('is all zero but the counts when all points have the same time', () => {
    const statistics = statisticsOf([
      { sec: 0, latitude: 1, accuracy: 9 },
      { sec: 0, latitude: 2, accuracy: 3 },
      { sec: 0, latitude: 3 },
    ])

    assert.deepEqual([statistics.distanceMeters, statistics.durationSec, statistics.pointsCount], [0, 0, 3])
    assert.equal(statistics.leftOut.sameTimePoints, 2)
  })

  test('handles far more points than one call can take as arguments', () => {
    const statistics = statisticsOf(northward(300_000, 1, (i) => i).map((point) => ({ ...point, altitude: 5 })))

    assertNear(statistics.distanceMeters, 299_999, 1e-3)
  })
})

describe('statisticsToJson', () => {
  test('names every figure as in JSON', () => {
    const points = northward(11, 10, (i) => 30 * i).map((point, i) => ({ ...point, altitude: 100 + i }))

    const json = statisticsToJson(statisticsOf(points, { pauses: [[95, 96]] }))

    assert.deepEqual(Object.keys(json), [
      'distance_meters',
      'duration_sec',
      'elevation_gain_m',
      'elevation_loss_m',
      'mean_speed_mps',
      'pace_sec_per_km',
      'max_speed_mps',
      'max_altitude_m',
      'min_altitude_m',
      'points_count',
      'moving_time_sec',
      'paused_time_sec',
      'method',
      'left_out',
    ])
    assert.equal(json.left_out.paused_legs, 1)
    assert.deepEqual(json.method, { version: 8, elevation: 'plain', max_speed: 'positions' })
  })

  test('has the intervals of climbs that were estimated', () => {
    const noise = wanderingNoise(3600, 2, { keep: 0.97, seed: 1 })
    const points = northward(3600, 1, (i) => i).map((point, i) => ({ ...point, altitude: i / 10 + noise[i] }))

    const json = statisticsToJson(statisticsOf(points))

    const [low, high] = json.elevation_gain_interval_m!
    assert.ok(low < 360 && 360 < high && high - low < 150, `${low} to ${high} m`)
    assert.equal(json.elevation_loss_interval_m![0], 0)
  })

  test('has no field for unknown figures', () => {
    const json = JSON.parse(JSON.stringify(statisticsToJson(statisticsOf([]))))

    assert.deepEqual(
      ['max_speed_mps', 'max_altitude_m', 'min_altitude_m'].filter((name) => name in json),
      [],
    )
  })
})
