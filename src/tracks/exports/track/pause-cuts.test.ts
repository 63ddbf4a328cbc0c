import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPauseCuts } from './pause-cuts.ts'

describe('createPauseCuts', () => {
  const cutsOf = (pauses: [number, number][], times: number[]) => {
    const isCut = createPauseCuts(pauses.map(([fromMs, toMs]) => ({ fromMs, toMs })))
    return times.filter((timeMs) => isCut(timeMs))
  }

  test('cuts once where a pause lies between two points', () => {
    assert.deepEqual(cutsOf([[15, 25]], [0, 10, 30, 40]), [30])
    assert.deepEqual(cutsOf([[10, 30]], [0, 10, 30, 40]), [30])
  })

  test('cuts at both ends of a pause with points in it, and between two pauses', () => {
    assert.deepEqual(cutsOf([[15, 45]], [0, 10, 20, 30, 40, 50]), [20, 50])
    assert.deepEqual(
      cutsOf(
        [
          [5, 15],
          [15, 25],
        ],
        [0, 10, 20, 30],
      ),
      [10, 20, 30],
    )
  })

  test('cuts at the start of a pause that lasts, and at none without length', () => {
    assert.deepEqual(cutsOf([[15, Number.POSITIVE_INFINITY]], [0, 10, 20, 30]), [20])
    assert.deepEqual(cutsOf([[15, 15]], [0, 10, 20, 30]), [])
  })

  test('does not cut before the first point', () => {
    assert.deepEqual(cutsOf([[-20, -10]], [0, 10]), [])
    assert.deepEqual(cutsOf([[-20, 5]], [0, 10]), [10])
  })
})
