import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { upperMedian } from './median.ts'

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
