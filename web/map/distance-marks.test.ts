import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { distanceMarks } from './distance-marks.ts'

const along = (meters: number[]) => ({
  distance_meters: meters,
  longitude: meters.map((way) => way / 1000),
  latitude: meters.map(() => 46),
})

describe('the marks on a track', () => {
  test('mark every kilometre, also several between two points', () => {
    const marks = distanceMarks(along([0, 900, 900, 3100]), 1000)

    assert.deepEqual(
      marks.map(({ count, longitude }) => [count, Number(longitude.toFixed(6))]),
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    )
  })

  test('are few on a long track', () => {
    const marks = distanceMarks(along(Array.from({ length: 1001 }, (_, index) => index * 180)), 1000)

    assert.deepEqual([marks.length, marks[0].count, marks.at(-1)!.count], [18, 10, 180])
  })

  test('are absent on a short or empty track', () => {
    assert.deepEqual(distanceMarks(along([0, 999]), 1000), [])
    assert.deepEqual(distanceMarks(along([]), 1000), [])
  })
})
