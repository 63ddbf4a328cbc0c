import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  anyPoints,
  pointTexts,
  similarPoints,
  sortedSimilarPoints,
} from '../../../test/support/point-set-arbitraries.ts'
import {
  addedPoints,
  concatColumns,
  emptyColumns,
  firstIndexAfter,
  firstIndexAtOrAfter,
  mergePoints,
  type PointColumns,
  pickPoints,
  pointComparator,
  sortPoints,
} from './point-columns.ts'

describe('addedPoints', () => {
  test('returns the copies of each point that exceed the stored ones', () => {
    fc.assert(
      fc.property(sortedSimilarPoints, sortedSimilarPoints, (stored, sent) => {
        const added = addedPoints(stored, sent)

        assert.deepEqual(pointTexts(added), withoutStored(pointTexts(sent), pointTexts(stored)))
      }),
    )
  })

  test('adds copies up to the number in the request with the most', () => {
    const added = addedPoints(copies(2), copies(5))

    assert.equal(added.count, 3)
  })

  test('returns no points when all are stored', () => {
    const added = addedPoints(copies(5), copies(2))

    assert.equal(added.count, 0)
  })

  test('returns the same object when none is stored', () => {
    const sent = copies(3)

    assert.equal(addedPoints(emptyColumns(0), sent), sent)
  })

  test('treats points that differ only in the sign of zero or in an absent value as different', () => {
    const stored = copies(1)
    const sent = copies(3)
    sent.latitude[0] = -0
    sent.battery[1] = 0

    const added = addedPoints(stored, sortPoints(sent))

    assert.equal(added.count, 2)
  })
})

describe('mergePoints', () => {
  test('returns all points of both in canonical order', () => {
    fc.assert(
      fc.property(sortedSimilarPoints, sortedSimilarPoints, (a, b) => {
        const merged = mergePoints(a, b)

        assert.deepEqual(merged, sortPoints(concatColumns([a, b])))
      }),
    )
  })
})

describe('concatColumns', () => {
  test('joins points in order, and returns none for an empty list', () => {
    const joined = concatColumns([copies(2), emptyColumns(0), copies(1)])

    assert.deepEqual(joined, copies(3))
    assert.equal(concatColumns([]).count, 0)
  })
})

describe('firstIndexAtOrAfter and firstIndexAfter', () => {
  test('find the first and last point of a time', () => {
    const points = emptyColumns(4)
    points.timeMs.set([10, 20, 20, 30])

    const found = [9, 20, 25, 30, 31].map((time) => [firstIndexAtOrAfter(points, time), firstIndexAfter(points, time)])

    assert.deepEqual(found, [
      [0, 0],
      [1, 3],
      [3, 3],
      [3, 4],
      [4, 4],
    ])
  })
})

function copies(count: number): PointColumns {
  return emptyColumns(count)
}

/** A simple model: removes each stored point from the list of sent ones once. */
function withoutStored(sent: string[], stored: string[]): string[] {
  const known = [...stored]
  return sent.filter((point) => {
    const at = known.indexOf(point)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}

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
