import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pause } from '../../domain/pauses.ts'
import { pausedLegs } from './paused-legs.ts'

const times = Float64Array.of(0, 10, 20, 30, 40, 50)

function paused(...pauses: [number, number][]) {
  return [
    ...pausedLegs(
      times,
      pauses.map(([fromMs, toMs]): Pause => ({ fromMs, toMs })),
    ),
  ]
}

describe('pausedLegs', () => {
  test('marks every leg that a pause overlaps, at the point where it ends', () => {
    assert.deepEqual(paused([12, 25]), [0, 0, 1, 1, 0, 0])
  })

  test('does not mark legs that touch a pause at one instant', () => {
    assert.deepEqual(paused([10, 20]), [0, 0, 1, 0, 0, 0])
  })

  test('marks a leg with several pauses once', () => {
    assert.deepEqual(paused([11, 12], [13, 14], [15, 16], [41, 42]), [0, 0, 1, 0, 0, 1])
  })

  test('marks all legs after an open pause', () => {
    assert.deepEqual(paused([30, Number.POSITIVE_INFINITY]), [0, 0, 0, 0, 1, 1])
  })

  test('marks nothing for pauses without length, before the first and after the last point', () => {
    assert.deepEqual(paused([-20, 0], [15, 15], [50, 90]), [0, 0, 0, 0, 0, 0])
  })
})
