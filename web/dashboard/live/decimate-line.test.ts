import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimateLine } from './decimate-line.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('decimateLine', () => {
  test('keeps the ends of the line and its newest positions', () => {
    const [line] = decimateLine([numbers(100)], 30)

    assert.ok(line.length <= 30)
    assert.equal(line[0], 0)
    assert.deepEqual(line.slice(-8), [92, 93, 94, 95, 96, 97, 98, 99])
  })

  test('keeps the ends of each part until the oldest parts have to go', () => {
    assert.deepEqual(
      decimateLine(
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
      decimateLine(
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

  test('leaves a short line unchanged', () => {
    assert.deepEqual(decimateLine([numbers(5)], 5), [numbers(5)])
  })
})
