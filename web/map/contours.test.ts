import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contourLines, type HeightGrid } from './contours.ts'

function gridOf(side: number, metersAt: (x: number, y: number) => number): HeightGrid {
  return {
    side,
    meters: Float32Array.from({ length: side * side }, (_, i) => metersAt(i % side, Math.floor(i / side))),
  }
}

const pointsOf = (line: number[]) =>
  Array.from({ length: line.length / 2 }, (_, i) => [line[2 * i], line[2 * i + 1]] as const)

describe('contour lines', () => {
  test('of a slope go across it, each in one piece', () => {
    const lines = contourLines(
      gridOf(9, (x) => 10 * x + 5),
      20,
    )

    assert.deepEqual(
      [...lines.keys()].sort((a, b) => a - b),
      [1, 2, 3, 4],
    )
    for (const [steps, all] of lines) {
      assert.equal(all.length, 1)
      assert.equal(all[0].length, 2 * 9)
      for (const [x] of pointsOf(all[0])) assert.equal(x, (20 * steps - 5) / 10)
    }
  })

  test('every 40 feet are in one piece, too', () => {
    const lines = contourLines(
      gridOf(9, (x) => 300 * x + 5),
      40 * 0.3048,
    )

    assert.equal(lines.size, Math.floor(2405 / (40 * 0.3048)))
    for (const all of lines.values()) assert.equal(all.length, 1)
  })

  test('of a summit are closed rings around it', () => {
    const lines = contourLines(
      gridOf(41, (x, y) => 400 - 20 * Math.hypot(x - 20, y - 20)),
      100,
    )

    for (const steps of [1, 2, 3]) {
      const [ring, ...others] = lines.get(steps)!
      assert.deepEqual([others.length, ring.slice(0, 2)], [0, ring.slice(-2)])
      for (const [x, y] of pointsOf(ring)) {
        assert.ok(Math.abs(Math.hypot(x - 20, y - 20) - (400 - 100 * steps) / 20) < 0.1)
      }
    }
  })

  test('end where heights are not known, and a plain has none', () => {
    const hole = gridOf(9, (x, y) => (y === 4 ? Number.NaN : 10 * x + 5))

    assert.deepEqual(
      contourLines(hole, 80)
        .get(1)!
        .map((line) => line.length / 2),
      [4, 4],
    )
    assert.equal(
      contourLines(
        gridOf(9, () => 400),
        20,
      ).size,
      0,
    )
  })

  test('do not cross in a saddle', () => {
    const lines = contourLines(
      gridOf(2, (x, y) => (x === y ? 0 : 10)),
      5,
    ).get(1)!

    assert.deepEqual(
      lines.map((line) => line.length / 2),
      [2, 2],
    )
  })
})
