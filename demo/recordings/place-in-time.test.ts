import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placeInTime } from './place-in-time.ts'
import { distancesMeters, shapeOf, thinned } from './recorded-route.ts'

const point = (timestamp: string, speed?: number) => ({ latitude: 1, longitude: 2, timestamp, speed_mps: speed })

describe('placeInTime', () => {
  test('starts at the given time and pace, with matching speeds', () => {
    const recorded = [point('2015-08-15T14:00:00Z', 2), point('2015-08-15T14:00:10Z', 3)]

    const placed = placeInTime(recorded, { startMs: Date.UTC(2026, 4, 3), factor: 1.25 })

    assert.deepEqual(
      placed.map(({ timestamp, speed_mps }) => [timestamp, speed_mps]),
      [
        ['2026-05-03T00:00:00.000Z', 2.5],
        ['2026-05-03T00:00:08.000Z', 3.75],
      ],
    )
  })

  test('shortens longer gaps to three minutes, and never goes back in time', () => {
    const recorded = [point('2015-08-15T14:00:00Z'), point('2016-01-01T00:00:00Z'), point('2015-12-01T00:00:00Z')]

    const placed = placeInTime(recorded, { startMs: 0, factor: 1 })

    assert.deepEqual(
      placed.map(({ timestamp }) => Date.parse(timestamp)),
      [0, 180_000, 180_000],
    )
  })
})

describe('the shape of a route', () => {
  test('fills the square in one direction and is centred in the other', () => {
    const route = [
      { latitude: 0, longitude: 10, timestamp: '' },
      { latitude: 1, longitude: 10.5, timestamp: '' },
    ]

    assert.deepEqual(shapeOf(route), [
      { x: 0.25, y: 1 },
      { x: 0.75, y: 0 },
    ])
    assert.equal(Math.round(distancesMeters(route)[1]), 124_318)
  })

  test('is thinned evenly, keeping the first and the last point', () => {
    assert.deepEqual(thinned([0, 1, 2, 3, 4, 5, 6], 3), [0, 3, 6])
    assert.deepEqual(thinned([0, 1], 3), [0, 1])
  })
})
