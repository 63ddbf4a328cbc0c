import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectedPositive } from './normal-distribution.ts'

describe('expectedPositive', () => {
  test('is the positive part of a certain value', () => {
    assert.deepEqual(
      [3, -3].map((mean) => expectedPositive(mean, 0)),
      [3, 0],
    )
  })

  test('agrees with the integral of the positive part', () => {
    for (const [mean, deviation] of [
      [0, 1],
      [1, 1],
      [-2, 1.5],
      [5, 0.5],
      [-20, 1],
    ]) {
      let integral = 0
      for (let x = 0.0005; x < 40; x += 0.001) {
        const z = (x - mean) / deviation
        integral += (x * Math.exp((-z * z) / 2) * 0.001) / (deviation * Math.sqrt(2 * Math.PI))
      }
      assert.ok(Math.abs(expectedPositive(mean, deviation) - integral) < 1e-6, `${mean} ± ${deviation}`)
    }
  })
})
