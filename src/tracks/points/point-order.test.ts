import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyPoints, pointTexts, similarPoints } from '../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, pickPoints } from './point-columns.ts'
import { comparePoints, pointsEqual, sortPoints } from './point-order.ts'

describe('sortPoints', () => {
  test('gives one order for the same points however they arrive', () => {
    fc.assert(
      fc.property(fc.oneof(anyPoints, similarPoints), fc.infiniteStream(fc.nat()), (points, random) => {
        const shuffled = pickPoints(points, shuffle(points.count, random))

        const sorted = sortPoints(shuffled)

        assert.deepEqual(sorted, sortPoints(points))
        assert.deepEqual(pointTexts(sorted).sort(), pointTexts(points).sort())
      }),
    )
  })

  test('gives ascending times, and equal times in the order of comparePoints', () => {
    fc.assert(
      fc.property(similarPoints, (points) => {
        const sorted = sortPoints(points)

        for (let i = 1; i < sorted.count; i++) {
          assert.ok(sorted.timeMs[i - 1] <= sorted.timeMs[i])
          assert.ok(comparePoints(sorted, i - 1, sorted, i) <= 0)
        }
      }),
    )
  })

  test('gives the very object when it is in order already', () => {
    const points = emptyColumns(4)
    points.timeMs.set([1, 2, 2, 3])
    points.latitude.set([4, -0, 0, 1])

    const sorted = sortPoints(points)

    assert.equal(sorted, points)
  })

  test('sorts times too far apart for the quick way', () => {
    const points = emptyColumns(3)
    points.timeMs.set([2 ** 52, 0, -(2 ** 52)])

    const sorted = sortPoints(points)

    assert.deepEqual([...sorted.timeMs], [-(2 ** 52), 0, 2 ** 52])
  })

  test('leaves no points as they are', () => {
    const points = emptyColumns(0)

    assert.equal(sortPoints(points), points)
  })
})

describe('comparePoints', () => {
  test('finds two points equal exactly when all their bits are', () => {
    fc.assert(
      fc.property(similarPoints, similarPoints, (a, b) => {
        const same = pointTexts(a)[0] === pointTexts(b)[0]

        assert.equal(comparePoints(a, 0, b, 0) === 0, same)
        assert.equal(pointsEqual(a, 0, b, 0), same)
        assert.equal(Math.sign(comparePoints(a, 0, b, 0)) + Math.sign(comparePoints(b, 0, a, 0)), 0)
      }),
    )
  })

  test('puts -0 before 0 and an absent value after all others', () => {
    const points = emptyColumns(4)
    points.altitude.set([Number.NaN, 1e308, 0, -0])

    const sorted = sortPoints(points)

    assert.deepEqual([...sorted.altitude], [-0, 0, 1e308, Number.NaN])
  })
})

function shuffle(count: number, random: Iterator<number>): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = random.next().value % (i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}
