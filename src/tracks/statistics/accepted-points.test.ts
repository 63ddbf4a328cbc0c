import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, type TestPoint } from '../../../test/support/track-columns.ts'
import { acceptedPoints } from './accepted-points.ts'

function accept(points: TestPoint[], maxAccuracyMeters = 50) {
  const { trace, sameTime, inaccurate } = acceptedPoints(columnsOf(points), maxAccuracyMeters)
  return { latitudes: [...trace.latitude], sameTime, inaccurate }
}

describe('acceptedPoints', () => {
  test('keeps the most accurate point of each time', () => {
    const points = [
      { sec: 0, latitude: 1, accuracy: 20 },
      { sec: 0, latitude: 2, accuracy: 5 },
      { sec: 0, latitude: 3, accuracy: 9 },
      { sec: 1, latitude: 4 },
    ]

    assert.deepEqual(accept(points), { latitudes: [2, 4], sameTime: 2, inaccurate: 0 })
  })

  test('keeps the first of equally accurate points of a time', () => {
    const points = [
      { sec: 0, latitude: 1, accuracy: 5 },
      { sec: 0, latitude: 2, accuracy: 5 },
      { sec: 1, latitude: 3 },
    ]

    assert.deepEqual(accept(points).latitudes, [1, 3])
  })

  test('prefers a known good accuracy to an unknown one, and an unknown one to a known bad one', () => {
    const points = [
      { sec: 0, latitude: 1 },
      { sec: 0, latitude: 2, accuracy: 30 },
      { sec: 1, latitude: 3, accuracy: 80 },
      { sec: 1, latitude: 4, accuracy: -1 },
    ]

    assert.deepEqual(accept(points), { latitudes: [2, 4], sameTime: 2, inaccurate: 0 })
  })

  test('leaves out points whose accuracy is worse than the limit, not those at it', () => {
    const points = [50, 50.1, 0, 1e308].map((accuracy, i) => ({ sec: i, latitude: i, accuracy }))

    assert.deepEqual(accept(points), { latitudes: [0, 2], sameTime: 0, inaccurate: 2 })
  })

  test('treats a negative or missing accuracy as unknown and keeps the point', () => {
    const points = [{ sec: 0, accuracy: -1 }, { sec: 1, accuracy: -1e308 }, { sec: 2 }, { sec: 3, accuracy: 99 }]

    assert.deepEqual(accept(points), { latitudes: [0, 0, 0], sameTime: 0, inaccurate: 1 })
  })

  test('leaves nothing out when fewer than two points would remain', () => {
    const points = [
      { sec: 0, latitude: 0, accuracy: 5 },
      { sec: 1, latitude: 1, accuracy: 90 },
      { sec: 2, latitude: 2, accuracy: 60 },
    ]

    assert.deepEqual(accept(points), { latitudes: [0, 1, 2], sameTime: 0, inaccurate: 0 })
  })

  test('leaves nothing out when the limit is 0', () => {
    const points = [1, 1000, 2, 3].map((accuracy, i) => ({ sec: i, latitude: i, accuracy }))

    assert.deepEqual(accept(points, 0), { latitudes: [0, 1, 2, 3], sameTime: 0, inaccurate: 0 })
  })
})
