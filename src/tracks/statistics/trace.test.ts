import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { columnsOf } from '../../../test/support/track-columns.ts'
import { distanceMeters, EARTH_RADIUS_METERS, legDistances, upperMedian } from './trace.ts'

const QUARTER = (EARTH_RADIUS_METERS * Math.PI) / 2

function assertNear(actual: number, expected: number, tolerance: number) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`)
}

describe('distanceMeters', () => {
  test('is a quarter of the circumference from the equator to either pole, whatever the longitude of the pole', () => {
    assertNear(distanceMeters(0, 0, 90, 0), QUARTER, 1e-6)
    assertNear(distanceMeters(0, 0, -90, 123), QUARTER, 1e-6)
    assertNear(distanceMeters(90, -180, 90, 77), 0, 1e-6)
  })

  test('is half of the circumference to the antipode', () => {
    assertNear(distanceMeters(0, 0, 0, 180), 2 * QUARTER, 1e-6)
    assertNear(distanceMeters(45, 30, -45, -150), 2 * QUARTER, 0.2)
  })

  test('takes the shorter way across the antimeridian', () => {
    assertNear(distanceMeters(0, 179.9995, 0, -179.9995), QUARTER / 90_000, 1e-6)
    assertNear(distanceMeters(10, 180, 10, -180), 0, 1e-6)
  })

  test('agrees with a published distance: Paris to New York is 5,837 km', () => {
    assertNear(distanceMeters(48.8566, 2.3522, 40.7128, -74.006), 5_837_000, 1000)
  })

  test('keeps its precision over a centimetre', () => {
    const centimetre = (0.01 / EARTH_RADIUS_METERS) * (180 / Math.PI)

    assertNear(distanceMeters(48, 2, 48 + centimetre, 2), 0.01, 1e-8)
  })
})

describe('legDistances', () => {
  test('stores each leg at the point where it ends', () => {
    const points = columnsOf([{ sec: 0 }, { sec: 1, latitude: 1 }, { sec: 2, latitude: 1 }])

    const legs = legDistances(points)

    assert.equal(legs[0], 0)
    assertNear(legs[1], QUARTER / 90, 1e-6)
    assert.equal(legs[2], 0)
  })
})

describe('upperMedian', () => {
  test('is NaN without values', () => {
    assert.ok(Number.isNaN(upperMedian(new Float64Array(0))))
  })

  test('is the larger of the two middle values of an even count', () => {
    assert.equal(upperMedian(Float64Array.of(4, 1, 3, 2)), 3)
  })

  test('is the value in the middle of the sorted values', () => {
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true })), { minLength: 1 })

    fc.assert(
      fc.property(values, (list) => {
        const sorted = Float64Array.from(list).sort()

        assert.ok(upperMedian(Float64Array.from(list)) === sorted[list.length >> 1])
      }),
    )
  })

  test('finds the middle of long runs of rising, falling, equal and organ-pipe values', () => {
    const count = 10_001
    const orders: ((i: number) => number)[] = [
      (i) => i,
      (i) => -i,
      () => 7,
      (i) => Math.min(i, count - i),
      (i) => i % 2,
    ]

    for (const order of orders) {
      const values = Float64Array.from({ length: count }, (_, i) => order(i))

      assert.equal(upperMedian(values.slice()), values.slice().sort()[count >> 1])
    }
  })
})
