import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { distancesMeters, shapeOf, thinned } from './recorded-route.ts'

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
    assert.equal(Math.round(distancesMeters(route)[1]), 124_319)
  })

  test('is thinned evenly, keeping the first and the last point', () => {
    assert.deepEqual(thinned([0, 1, 2, 3, 4, 5, 6], 3), [0, 3, 6])
    assert.deepEqual(thinned([0, 1], 3), [0, 1])
  })
})
