import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkLeniently, removeUnknown } from './check-point.ts'
import { emptyColumns } from './point-columns.ts'

const POINT = { latitude: 48.8566, longitude: 2.3522, timestamp: '2026-11-21T10:00:00.000Z' }

describe('checkLeniently', () => {
  test('keeps the valid points in the order sent, and names the errors of the others', () => {
    const { points, rejected } = checkLeniently([
      { ...POINT, altitude: 1 },
      { ...POINT, heading: 360.5, latitude: 'north' },
      null,
      { ...POINT, altitude: 2 },
    ])

    assert.deepEqual([...points.altitude], [1, 2])
    assert.deepEqual(rejected, {
      count: 2,
      listed: [
        {
          index: 1,
          errors: [
            { path: 'latitude', message: 'must be number' },
            { path: 'heading', message: 'must be <= 360' },
          ],
        },
        { index: 2, errors: [{ path: '', message: 'must be an object' }] },
      ],
    })
  })

  test('takes negative heading, battery, speed and accuracy as not given, and a negative altitude as it is', () => {
    const unknown = { heading: -1, battery: -1, speed_mps: -1, accuracy: -0.5, altitude: -1 }

    const { points, rejected } = checkLeniently([{ ...POINT, ...unknown }])

    assert.equal(rejected.count, 0)
    for (const column of ['heading', 'battery', 'speedMps', 'accuracy'] as const) {
      assert.deepEqual([...points[column]], [Number.NaN], column)
    }
    assert.deepEqual([...points.altitude], [-1])
  })

  test('lists at most 100 points and counts all', () => {
    const { points, rejected } = checkLeniently(Array.from({ length: 250 }, () => ({})))

    assert.deepEqual([points.count, rejected.listed.length, rejected.count], [0, 100, 250])
  })
})

describe('removeUnknown', () => {
  test('removes what the slow way does not read', () => {
    const points = emptyColumns(3)
    points.speedMps.set([-1, 0, 2.5])
    points.accuracy.set([3, -0, -3])
    points.altitude.set([-5, 0, 5])

    removeUnknown(points)

    assert.deepEqual([...points.speedMps], [Number.NaN, 0, 2.5])
    assert.deepEqual([...points.accuracy], [3, -0, Number.NaN])
    assert.deepEqual([...points.altitude], [-5, 0, 5])
  })
})
