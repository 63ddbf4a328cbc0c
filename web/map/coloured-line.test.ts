import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { colouredLine, colourRange, gapLines, RAMP, STEADY } from './coloured-line.ts'

const line = (count: number, gaps: number[] = []) => ({
  longitude: Array.from({ length: count }, (_, index) => index),
  latitude: Array.from({ length: count }, () => 0),
  gaps: gaps.map((index) => ({ index })),
})
const first = RAMP[0]
const last = RAMP[RAMP.length - 1]

describe('a coloured line', () => {
  test('is one part if all values have the same colour', () => {
    const parts = colouredLine(line(4), [1, 1, 1, 1], { from: 0, to: 100 })

    assert.deepEqual(
      parts.map(({ geometry }) => geometry.coordinates.length),
      [4],
    )
  })

  test('has one colour, none of the ramp, where all values are alike', () => {
    const jitter = [2.4999, 2.5001, 2.4999, 2.5]

    const parts = colouredLine(line(4), jitter, colourRange(jitter, 0.15))

    assert.deepEqual(
      parts.map(({ properties }) => properties.colour),
      [STEADY],
    )
    assert.ok(!(RAMP as readonly string[]).includes(STEADY))
  })

  test('changes colour at the point before the value changes, so that there is no gap', () => {
    const parts = colouredLine(line(4), [0, 0, 10, 10], { from: 0, to: 10 })

    assert.deepEqual(
      parts.map(({ properties, geometry }) => [properties.colour, geometry.coordinates.map(([x]) => x)]),
      [
        [first, [0, 1]],
        [last, [1, 2, 3]],
      ],
    )
  })

  test('is split at a gap, and the gap is a line of its own', () => {
    const broken = line(4, [2])

    const parts = colouredLine(broken, [1, 1, 1, 1], { from: 0, to: 1 })

    assert.deepEqual(
      parts.map(({ geometry }) => geometry.coordinates.map(([x]) => x)),
      [
        [0, 1],
        [2, 3],
      ],
    )
    assert.deepEqual(
      gapLines(broken).map(({ geometry }) => geometry.coordinates),
      [
        [
          [1, 0],
          [2, 0],
        ],
      ],
    )
  })

  test('is empty for fewer than two points', () => {
    assert.deepEqual(colouredLine(line(1), [1], { from: 0, to: 1 }), [])
    assert.deepEqual(colouredLine(line(0), [], { from: 0, to: 1 }), [])
  })
})

describe('the range of the colours', () => {
  test('ignores an outlier', () => {
    const values = Array.from({ length: 100 }, (_, index) => (index === 50 ? 1000 : index / 10))

    assert.deepEqual(colourRange(values, 1), { from: 0.2, to: 9.8 })
  })

  test('is not there where nothing is known, or nothing differs', () => {
    assert.equal(colourRange([null, null], 1), undefined)
    assert.equal(colourRange([5, 5.1, 4.9], 1), undefined)
  })
})
