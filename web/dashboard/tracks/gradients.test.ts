import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gradients } from './gradients.ts'

const way = (count: number, gaps: number[] = []) => ({
  distance_meters: Array.from({ length: count }, (_, index) => index * 10),
  gaps: gaps.map((index) => ({ index, reason: 'pause' as const })),
})

describe('gradients', () => {
  test('are rise divided by way', () => {
    const slopes = gradients(
      way(100),
      Array.from({ length: 100 }, (_, index) => index),
    )

    assert.deepEqual(new Set(slopes.map((slope) => slope!.toFixed(3))), new Set(['0.100']))
  })

  test('are unknown without altitudes, and on a way of a few metres', () => {
    assert.deepEqual(gradients(way(3), [1, 2, 3]), [null, null, null])
    assert.ok(gradients(way(50), Array(50).fill(null)).every((slope) => slope === null))
  })

  test('do not count a lift taken in a pause', () => {
    const altitudes = Array.from({ length: 40 }, (_, index) => (index < 20 ? 100 : 600))

    assert.deepEqual(new Set(gradients(way(40, [20]), altitudes)), new Set([0]))
  })
})
