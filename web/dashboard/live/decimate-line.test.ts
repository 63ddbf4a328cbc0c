import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { thinLine } from './decimate-line.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a line that is thinned', () => {
  test('keeps its ends and its newest positions', () => {
    const [line] = thinLine([numbers(100)], 30)

    assert.ok(line.length <= 30)
    assert.equal(line[0], 0)
    assert.deepEqual(line.slice(-8), [92, 93, 94, 95, 96, 97, 98, 99])
  })

  test('keeps the ends of its parts, until the oldest have to go', () => {
    assert.deepEqual(
      thinLine(
        [
          [1, 2, 3],
          [4, 5],
        ],
        4,
      ),
      [
        [1, 3],
        [4, 5],
      ],
    )
    assert.deepEqual(
      thinLine(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        4,
      ),
      [
        [3, 4],
        [5, 6],
      ],
    )
  })

  test('is as it was where it is short', () => {
    assert.deepEqual(thinLine([numbers(5)], 5), [numbers(5)])
  })
})
