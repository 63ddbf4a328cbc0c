import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { climbInterval } from './climb-interval.ts'

describe('climbInterval', () => {
  test('grows with the climb, and with noise and way together, from 8 m on either side', () => {
    const widthOf = (...[climb, noise, way]: Parameters<typeof climbInterval>) => {
      const [low, high] = climbInterval(climb, noise, way)
      return Math.round(high - low)
    }

    assert.deepEqual([widthOf(1000, 0, 50_000), widthOf(1000, 4, 50_000), widthOf(1000, 4, 0)], [294, 354, 294])
    assert.equal(widthOf(0, 4, 0), 8)
  })

  test('is around the climb, and never below 0', () => {
    const [low, high] = climbInterval(1000, 2, 20_000)

    assert.ok(Math.abs((low + high) / 2 - 1000) < 1e-9)
    assert.equal(climbInterval(10, 4, 40_000)[0], 0)
  })
})
