import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findLowest } from './height-fit.ts'

describe('findLowest', () => {
  test('finds the bottom of a curved valley', () => {
    const rosenbrock = ([x, y]: Float64Array) => (1 - x) ** 2 + 100 * (y - x * x) ** 2

    const { at, value } = findLowest(rosenbrock, { start: [-1.2, 1], step: 0.5, maxEvaluations: 400, spread: 1e-12 })

    assert.ok(Math.abs(at[0] - 1) < 1e-4 && Math.abs(at[1] - 1) < 1e-4, `${at}`)
    assert.equal(value, rosenbrock(at))
  })

  test('stays within what is allowed, and stops after the given number of evaluations', () => {
    let evaluations = 0
    const valueAt = ([x]: Float64Array) => {
      evaluations++
      return x < 2 ? Number.MAX_VALUE : x
    }

    const { at } = findLowest(valueAt, { start: [5], step: 1, maxEvaluations: 60, spread: 0 })

    assert.ok(at[0] >= 2 && at[0] < 2.001, `${at}`)
    // The last step may evaluate every corner once more.
    assert.ok(evaluations <= 63, `${evaluations}`)
  })
})
