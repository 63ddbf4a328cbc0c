import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addGap, type Gap, gapBetween, unseenBefore } from './gaps.ts'

const at = (sec: number, x: number) => ({ timeMs: sec * 1000, x, y: 0 })

describe('gaps of a recording', () => {
  test('are silences in which more may have been run than the straight line', () => {
    assert.deepEqual(gapBetween(at(10, 0), at(110, 50), 12), { fromMs: 10_000, toMs: 110_000, unseenM: 550 })
    assert.equal(gapBetween(at(10, 0), at(30, 0), 12), undefined)
    assert.equal(gapBetween(at(10, 0), at(110, 700), 12), undefined)
  })

  test('are kept in which most may have been run', () => {
    const gaps = [5, 1, ...Array(15).fill(3)].reduce<Gap[]>(
      (known, unseenM) => addGap(known, { fromMs: 0, toMs: 1, unseenM }),
      [],
    )

    assert.deepEqual(
      gaps.map(({ unseenM }) => unseenM),
      [5, ...Array(15).fill(3)],
    )
  })

  test('lie before a time, behind it, or around it with a part', () => {
    const gaps = [
      { fromMs: 0, toMs: 100, unseenM: 40 },
      { fromMs: 200, toMs: 300, unseenM: 60 },
    ]

    assert.equal(unseenBefore(gaps, 150, 1000), 40)
    assert.equal(unseenBefore(gaps, 225, 1000), 55)
    assert.equal(unseenBefore(gaps, 300, 1000), 100)
    // The second one had not ended.
    assert.equal(unseenBefore(gaps, 300, 250), 40)
  })
})
