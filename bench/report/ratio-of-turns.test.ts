import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quantile } from './figure.ts'
import { ratioOfTurns, type Turn } from './ratio-of-turns.ts'

const slowest = (samples: Float64Array) => quantile(samples.sort(), 0.99)
const mean = (samples: Float64Array) => samples.reduce((sum, sample) => sum + sample, 0) / samples.length

/** Returns a turn on a machine that is so many times slower than usual, in which samples take `cost` times as long. */
const turn = (slower: number, cost: number): Turn => {
  const samples = Float64Array.from({ length: 1000 }, (_, i) => 1 + i / 1000)
  return { with: samples.map((sample) => sample * slower * cost), without: samples.map((sample) => sample * slower) }
}

describe('ratioOfTurns', () => {
  test('finds what a state costs on a machine that changes from turn to turn', () => {
    const turns = [1, 5, 2, 1, 9].map((slower) => turn(slower, 1.5))

    for (const statistic of [slowest, mean]) {
      const { value, low, high } = ratioOfTurns(turns, statistic)
      for (const ratio of [value, low, high]) assert.ok(Math.abs(ratio - 1.5) < 1e-9)
    }
  })

  test('has a wide interval where turns differ, which holds the value', () => {
    const turns = [0.5, 1, 1.1, 3, 0.9, 1.2].map((cost) => turn(1, cost))

    const { value, low, high } = ratioOfTurns(turns, mean)

    assert.ok(low < value && value < high)
    assert.ok(high - low > 0.5)
  })
})
