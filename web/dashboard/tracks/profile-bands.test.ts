import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { paceTicks, rateRange } from './profile-bands.ts'

describe('the scale of paces and speeds', () => {
  test('contains the fastest, and begins at 0 on a bike', () => {
    const { from, to } = rateRange('bike', [0, 8, null, 14])

    assert.equal(from, 0)
    assert.ok(to > 14)
  })

  test('leaves most of its room to the paces of a runner who stopped once', () => {
    const { from, to } = rateRange('run', [0, ...Array(50).fill(3), 4])

    assert.equal(from, 1.5)
    assert.ok(to > 4)
  })

  test('has whole paces as labels, in ascending speed and apart from each other', () => {
    const ticks = paceTicks({ from: 1.5, to: 4.4 }, 1000)

    assert.deepEqual(
      ticks.map((mps) => Math.round(1000 / mps)),
      [480, 360, 300, 240],
    )
  })

  test('has paces for a mile as well', () => {
    assert.deepEqual(
      paceTicks({ from: 1.5, to: 4.4 }, 1609.344).map((mps) => Math.round(1609.344 / mps)),
      [720, 540, 420],
    )
  })
})
