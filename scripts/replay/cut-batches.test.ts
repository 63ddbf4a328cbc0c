import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cutBatches } from './cut-batches.ts'

const seconds = (...values: number[]) => values.map((value) => value * 1000)

describe('cutBatches', () => {
  test('cuts at fixed intervals from the first point on, and skips empty ones', () => {
    const batches = cutBatches(seconds(5, 6, 14, 15, 60, 61, 65), 10_000)

    assert.deepEqual(batches, [
      { from: 0, to: 3 },
      { from: 3, to: 4 },
      { from: 4, to: 6 },
      { from: 6, to: 7 },
    ])
  })

  test("never exceeds the service's limit of points", () => {
    const batches = cutBatches(seconds(0, 1, 2, 3, 4), 10_000, 2)

    assert.deepEqual(batches, [
      { from: 0, to: 2 },
      { from: 2, to: 4 },
      { from: 4, to: 5 },
    ])
  })

  test('keeps points of the same time together, unless they are too many', () => {
    assert.deepEqual(cutBatches(seconds(0, 1, 1, 2), 10_000, 2), [
      { from: 0, to: 1 },
      { from: 1, to: 3 },
      { from: 3, to: 4 },
    ])
    assert.deepEqual(cutBatches(seconds(0, 0, 0), 10_000, 2), [
      { from: 0, to: 2 },
      { from: 2, to: 3 },
    ])
  })

  test('makes one batch of one point, and none without points', () => {
    assert.deepEqual(cutBatches(seconds(7), 10_000), [{ from: 0, to: 1 }])
    assert.deepEqual(cutBatches([], 10_000), [])
  })

  test('has every point exactly once, in order', () => {
    const times = fc
      .array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 60 })
      .map((all) => all.sort((a, b) => a - b))

    fc.assert(
      fc.property(
        times,
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 9 }),
        (timesMs, batchMs, max) => {
          const batches = cutBatches(timesMs, batchMs, max)

          const indexes = batches.flatMap(({ from, to }) => timesMs.map((_, i) => i).slice(from, to))
          assert.deepEqual(
            indexes,
            timesMs.map((_, i) => i),
          )
          assert.ok(batches.every(({ from, to }) => to > from && to - from <= max))
        },
      ),
    )
  })
})
