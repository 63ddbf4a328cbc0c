import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DEVICE_FILES, pointsOf, readDeviceFile } from '../../../test/support/read-device-file.ts'
import { columnsOf, DEGREES_PER_METER, northward, TEST_START_MS } from '../../../test/support/track-columns.ts'
import { computeReplayLine, reduceInTime } from './replay-line.ts'
import { computeStatistics } from './statistics.ts'

const SETTINGS = { activityType: 'run', maxAccuracyMeters: 50 } as const
const ALL = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY, maxPositions: 300 }

describe('computeReplayLine', () => {
  for (const name of DEVICE_FILES) {
    test(`of ${name} ends with the distance of the statistics`, async () => {
      const file = await readDeviceFile(name)
      const points = pointsOf(file)
      const settings = { activityType: file.activityType, maxAccuracyMeters: 50 }

      const line = computeReplayLine(points, [], settings, ALL)

      assert.ok(line.timeMs.length <= 300)
      assert.equal(line.distanceMeters.at(-1), computeStatistics(points, [], settings).distance_meters)
    })
  }

  test('has only the part that is shown, with its distance from 0', () => {
    const points = columnsOf(northward(100, 10, (i) => i * 30))
    const part = { ...ALL, fromMs: TEST_START_MS + 200_000, untilMs: TEST_START_MS + 500_000 }

    const line = computeReplayLine(points, [], SETTINGS, part)

    assert.deepEqual([line.timeMs[0], line.timeMs.at(-1)], [part.fromMs, part.untilMs])
    assert.deepEqual([line.distanceMeters[0], Math.round(line.distanceMeters.at(-1)!)], [0, 900])
  })

  test('leaves out an excursion of the receiver', () => {
    const points = columnsOf(northward(100, 10, (i) => i * 30 + (i === 50 ? 20_000 : 0)))

    const line = computeReplayLine(points, [], SETTINGS, ALL)

    assert.deepEqual(line.timeMs.length, 2)
  })

  test('is empty when nothing is shown', () => {
    const points = columnsOf(northward(10, 10, (i) => i * 30))

    assert.equal(computeReplayLine(points, [], SETTINGS, { ...ALL, untilMs: TEST_START_MS - 1 }).timeMs.length, 0)
  })
})

/** Returns where a replay shows a runner at the time of a point, in meters north of the equator. */
function shownMeters(points: ReturnType<typeof columnsOf>, kept: Int32Array, index: number): number {
  const after = kept.findIndex((one) => one >= index)
  if (kept[after] === index) return points.latitude[index] / DEGREES_PER_METER
  const [from, to] = [kept[after - 1], kept[after]]
  const share = (points.timeMs[index] - points.timeMs[from]) / (points.timeMs[to] - points.timeMs[from])
  return (points.latitude[from] + share * (points.latitude[to] - points.latitude[from])) / DEGREES_PER_METER
}

describe('reduceInTime', () => {
  test('keeps two points of even motion in a straight line', () => {
    const points = columnsOf(northward(500, 5, (i) => i * 15))

    assert.deepEqual([...reduceInTime(points, { maxPoints: 100, toleranceMeters: 1 })], [0, 499])
  })

  test('keeps a stop on a straight line, which has no shape', () => {
    const points = columnsOf(northward(90, 10, (i) => (i < 30 ? i : i < 60 ? 30 : i - 30) * 30))

    const kept = reduceInTime(points, { maxPoints: 100, toleranceMeters: 5 })

    for (const corner of [30, 60]) assert.ok(kept.includes(corner), [...kept].join())
    assert.ok(kept.length < 8)
  })

  test('shows everyone within the tolerance of where they were, given room', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 120 })

    fc.assert(
      fc.property(steps, (list) => {
        let meters = 0
        const places = list.map((step) => (meters += step))
        const points = columnsOf(northward(places.length, 5, (i) => places[i]))

        const kept = reduceInTime(points, { maxPoints: 1000, toleranceMeters: 10 })

        for (let i = 0; i < points.count; i++) {
          assert.ok(Math.abs(shownMeters(points, kept, i) - places[i]) <= 10.001)
        }
      }),
    )
  })

  test('keeps no more points than allowed, the worst error first, and always both ends', () => {
    const zigzag = columnsOf(northward(400, 5, (i) => (i % 2) * 100 + (i === 200 ? 5000 : 0)))

    const kept = [...reduceInTime(zigzag, { maxPoints: 20, toleranceMeters: 1 })]

    assert.equal(kept.length, 20)
    assert.ok(kept.includes(200))
    assert.deepEqual([kept[0], kept.at(-1)], [0, 399])
  })

  test('crosses the antimeridian the short way', () => {
    const eastward = columnsOf(
      Array.from({ length: 100 }, (_, i) => ({ sec: i, longitude: ((179.95 + i * 0.001 + 180) % 360) - 180 })),
    )

    assert.deepEqual([...reduceInTime(eastward, { maxPoints: 50, toleranceMeters: 1 })], [0, 99])
  })

  test('of no point or one keeps what there is', () => {
    assert.deepEqual([...reduceInTime(columnsOf([]), { maxPoints: 5, toleranceMeters: 1 })], [])
    assert.deepEqual([...reduceInTime(columnsOf([{ sec: 0 }]), { maxPoints: 5, toleranceMeters: 1 })], [0])
  })
})
