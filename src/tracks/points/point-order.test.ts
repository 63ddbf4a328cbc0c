import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyPoints, pointTexts, similarPoints } from '../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, pickPoints } from './point-columns.ts'
import { pointComparator, sortPoints } from './point-order.ts'

describe('sortPoints', () => {
  test('gives the same order however the points arrive', () => {
    fc.assert(
      fc.property(fc.oneof(anyPoints, similarPoints), fc.infiniteStream(fc.nat()), (points, random) => {
        const shuffled = pickPoints(points, shuffle(points.count, random))

        const sorted = sortPoints(shuffled)

        assert.deepEqual(sorted, sortPoints(points))
        assert.deepEqual(pointTexts(sorted).sort(), pointTexts(points).sort())
      }),
    )
  })

  test('gives ascending times, and equal times in the order of pointComparator', () => {
    fc.assert(
      fc.property(similarPoints, (points) => {
        const sorted = sortPoints(points)
        const compare = pointComparator(sorted, sorted)

        for (let i = 1; i < sorted.count; i++) {
          assert.ok(sorted.timeMs[i - 1] <= sorted.timeMs[i])
          assert.ok(compare(i - 1, i) <= 0)
        }
      }),
    )
  })

  test('returns the same object when the points are already in order', () => {
    const points = emptyColumns(4)
    points.timeMs.set([1, 2, 2, 3])
    points.latitude.set([4, -0, 0, 1])

    const sorted = sortPoints(points)

    assert.equal(sorted, points)
  })

  test('sorts times that are too far apart for the fast path', () => {
    const points = emptyColumns(3)
    points.timeMs.set([2 ** 52, 0, -(2 ** 52)])

    const sorted = sortPoints(points)

    assert.deepEqual([...sorted.timeMs], [-(2 ** 52), 0, 2 ** 52])
  })

  test('returns the same object when there are no points', () => {
    const points = emptyColumns(0)

    assert.equal(sortPoints(points), points)
  })
})

describe('pointComparator', () => {
  test('returns 0 exactly when all bits of two points are equal', () => {
    fc.assert(
      fc.property(similarPoints, similarPoints, (a, b) => {
        const same = pointTexts(a)[0] === pointTexts(b)[0]

        const order = pointComparator(a, b)(0, 0)

        assert.equal(order === 0, same)
        assert.equal(Math.sign(order) + Math.sign(pointComparator(b, a)(0, 0)), 0)
      }),
    )
  })

  test('sorts -0 before 0 and an absent value after all others', () => {
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
