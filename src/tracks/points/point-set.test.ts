import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { pointTexts, sortedSimilarPoints } from '../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, type PointColumns } from './point-columns.ts'
import { sortPoints } from './point-order.ts'
import { addedPoints, concatColumns, firstIndexAfter, firstIndexAtOrAfter, mergePoints } from './point-set.ts'

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
