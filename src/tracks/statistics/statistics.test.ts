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
import { computeStatistics, withGivenFigures } from './statistics.ts'

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
  same_time_points: 0,
  inaccurate_points: 0,
  spike_points: 0,
  altitudes: 0,
  teleport_legs: 0,
  stopped_legs: 0,
  paused_legs: 0,
}

describe('computeStatistics', () => {
  test('is all zero without points', () => {
    assert.deepEqual(statisticsOf([]), {
      distance_meters: 0,
      duration_sec: 0,
      elevation_gain_m: 0,
      elevation_loss_m: 0,
      mean_speed_mps: 0,
      pace_sec_per_km: 0,
      points_count: 0,
      moving_time_sec: 0,
      paused_time_sec: 0,
      method: {
        version: 8,
        elevation: 'plain',
        max_speed: 'positions',
      },
      left_out: NOTHING_LEFT_OUT,
    })
  })

  test('counts an altitude that leaps away and back neither as a climb nor as the highest or lowest', () => {
    const points = northward(60, 1, (i) => 2 * i).map((point) => ({ ...point, altitude: 100 }))
    points[30] = { ...points[30], altitude: 400 }
    points[40] = { ...points[40], altitude: -200 }

    const statistics = statisticsOf(points)

    assert.deepEqual([statistics.min_altitude_m, statistics.max_altitude_m], [100, 100])
    assert.deepEqual([statistics.elevation_gain_m, statistics.elevation_loss_m], [0, 0])
    assert.equal(statistics.left_out.altitudes, 2)
  })

  test('reports a leap of altitude that does not come back as the highest', () => {
    const points = northward(60, 1, (i) => 2 * i).map((point, i) => ({ ...point, altitude: i < 30 ? 100 : 400 }))

    assert.equal(statisticsOf(points).max_altitude_m, 400)
  })

  test('reports no altitude that no activity can have', () => {
    const points = northward(3, 10, (i) => 20 * i).map((point, i) => ({ ...point, altitude: [5, 1e6, 7][i] }))

    assert.equal(statisticsOf(points).max_altitude_m, 7)
  })

  test('has no distance, duration and pace with one point, but its speed and altitude', () => {
    const statistics = statisticsOf([{ sec: 0, latitude: 45, longitude: 6, altitude: 0, speedMps: 2.5 }])

    assert.deepEqual(
      [statistics.distance_meters, statistics.duration_sec, statistics.mean_speed_mps, statistics.pace_sec_per_km],
      [0, 0, 0, 0],
    )
    assert.deepEqual([statistics.max_speed_mps, statistics.max_altitude_m, statistics.min_altitude_m], [2.5, 0, 0])
  })

  test('adds up a kilometre in five minutes', () => {
    const statistics = statisticsOf(northward(31, 10, (i) => (i * 1000) / 30))

    assertNear(statistics.distance_meters, 1000)
    assert.equal(statistics.duration_sec, 300)
    assertNear(statistics.mean_speed_mps, 1000 / 300)
    assertNear(statistics.pace_sec_per_km, 300)
    assertNear(statistics.max_speed_mps, 1000 / 300)
    assertNear(statistics.moving_time_sec, 300)
  })

  for (const activityType of ['run', 'walk', 'bike', 'hike'] as const) {
    test(`takes an even 111 m a second as it is, for a ${activityType}`, () => {
      const points = Array.from({ length: 20 }, (_, i) => ({ sec: i, latitude: 48 + i * 0.001, longitude: 2 }))

      const statistics = statisticsOf(points, { activityType })

      assertNear(statistics.distance_meters, (19 * 0.001) / DEGREES_PER_METER, 1e-3)
      assert.deepEqual(statistics.left_out, NOTHING_LEFT_OUT)
    })
  }

  test('filters nothing from a track of two points', () => {
    const statistics = statisticsOf([
      { sec: 0, latitude: 48.85, longitude: 2.35 },
      { sec: 1, latitude: -33.9, longitude: 151.2 },
    ])

    assert.ok(statistics.distance_meters > 16_000_000)
    assert.ok(statistics.max_speed_mps! > 16_000_000)
    assert.deepEqual(statistics.left_out, NOTHING_LEFT_OUT)
  })

  test('does not sum the jump from a wrong first fix', () => {
    const points = northward(200, 1, (i) => 3 * i)
    points[0].longitude = 50

    const statistics = statisticsOf(points)

    assertNear(statistics.distance_meters, 3 * 198)
    assert.equal(statistics.left_out.teleport_legs, 1)
    assert.equal(statistics.duration_sec, 199)
  })

  test('leaves a spike out of distance, climb and maximum speed', () => {
    const points = northward(200, 1, (i) => 3 * i).map((point) => ({ ...point, altitude: 100 }))
    points[90] = { ...points[90], longitude: 0.01, altitude: 250 }

    const statistics = statisticsOf(points)

    assertNear(statistics.distance_meters, 3 * 199)
    assert.equal(statistics.elevation_gain_m, 0)
    assert.equal(statistics.max_altitude_m, 100)
    assertNear(statistics.max_speed_mps, 3)
    assert.equal(statistics.left_out.spike_points, 1)
    assert.equal(statistics.points_count, 200)
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

    assertNear(statistics.distance_meters, 120)
    assertNear(statistics.elevation_gain_m, 6)
    assertNear(statistics.elevation_loss_m, 6)
    assertNear(statistics.max_speed_mps, 1)
    assertNear(statistics.moving_time_sec, 120)
    assert.equal(statistics.paused_time_sec, 340)
    assert.equal(statistics.duration_sec, 460)
    assert.equal(statistics.left_out.paused_legs, 11)
  })

  test('counts the part of an open pause that lies within the track', () => {
    const statistics = statisticsOf(
      northward(11, 10, (i) => 20 * i),
      { pauses: [[40, Number.POSITIVE_INFINITY]] },
    )

    assert.equal(statistics.paused_time_sec, 60)
    assertNear(statistics.distance_meters, 80)
  })

  test('counts distance and climb of an interruption that was travelled', () => {
    const points = northward(100, 5, (i) => 15 * i + (i >= 50 ? 900 : 0)).map((point, i) => ({
      ...point,
      sec: point.sec + (i >= 50 ? 300 : 0),
    }))

    assertNear(statisticsOf(points).distance_meters, 15 * 99 + 900)
  })

  test('rounds half a second up', () => {
    const seconds = [0.499, 0.5, 1.499, 1.5].map((sec) => statisticsOf([{ sec: 0 }, { sec }]).duration_sec)

    assert.deepEqual(seconds, [0, 1, 1, 2])
  })

  test('is all zero but the counts when all points have the same time', () => {
    const statistics = statisticsOf([
      { sec: 0, latitude: 1, accuracy: 9 },
      { sec: 0, latitude: 2, accuracy: 3 },
      { sec: 0, latitude: 3 },
    ])

    assert.deepEqual([statistics.distance_meters, statistics.duration_sec, statistics.points_count], [0, 0, 3])
    assert.equal(statistics.left_out.same_time_points, 2)
  })

  test('handles far more points than one call can take as arguments', () => {
    const statistics = statisticsOf(northward(300_000, 1, (i) => i).map((point) => ({ ...point, altitude: 5 })))

    assertNear(statistics.distance_meters, 299_999, 1e-3)
  })

  test('names every figure as in JSON', () => {
    const points = northward(11, 10, (i) => 30 * i).map((point, i) => ({ ...point, altitude: 100 + i }))

    const json = statisticsOf(points, { pauses: [[95, 96]] })

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

    const json = statisticsOf(points)

    const [low, high] = json.elevation_gain_interval_m!
    assert.ok(low < 360 && 360 < high && high - low < 150, `${low} to ${high} m`)
    assert.equal(json.elevation_loss_interval_m![0], 0)
  })

  test('has no field for unknown figures', () => {
    const json = JSON.parse(JSON.stringify(statisticsOf([])))

    assert.deepEqual(
      ['max_speed_mps', 'max_altitude_m', 'min_altitude_m'].filter((name) => name in json),
      [],
    )
  })
})

const points = northward(600, 1, (i) => i).map((point, i) => ({ ...point, altitude: 50 * Math.sin(i / 60) + (i % 7) }))
const computed = statisticsOf(points)

describe('withGivenFigures', () => {
  test('prefers given figures, and drops the interval of what they replace', () => {
    const { elevation_gain_interval_m, ...others } = computed

    const all = withGivenFigures(computed, JSON.stringify({ elevation_gain_m: 12, points_count: 9 }))

    assert.ok(elevation_gain_interval_m !== undefined && others.elevation_loss_interval_m !== undefined)
    assert.deepEqual(all, { ...others, elevation_gain_m: 12, points_count: 9 })
  })

  test('keeps computed ones without any, and does not change them', () => {
    const before = structuredClone(computed)

    assert.equal(withGivenFigures(computed, null), computed)
    withGivenFigures(computed, JSON.stringify({ elevation_gain_m: 12 }))
    assert.deepEqual(computed, before)
  })
})
