import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { pointTexts, sortedSimilarPoints } from '../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, type PointColumns } from './point-columns.ts'
import { sortPoints } from './point-order.ts'
import { addedPoints, concatColumns, firstIndexAfter, firstIndexAtOrAfter, mergePoints } from './point-set.ts'

describe('addedPoints', () => {
  test('gives the copies of each point beyond those that are stored', () => {
    fc.assert(
      fc.property(sortedSimilarPoints, sortedSimilarPoints, (stored, sent) => {
        const added = addedPoints(stored, sent)

        assert.deepEqual(pointTexts(added), withoutStored(pointTexts(sent), pointTexts(stored)))
      }),
    )
  })

  test('keeps as many copies of one point as the request with most had', () => {
    const added = addedPoints(copies(2), copies(5))

    assert.equal(added.count, 3)
  })

  test('gives nothing when all points are known', () => {
    const added = addedPoints(copies(5), copies(2))

    assert.equal(added.count, 0)
  })

  test('gives the very object when none is known', () => {
    const sent = copies(3)

    assert.equal(addedPoints(emptyColumns(0), sent), sent)
  })

  test('tells points apart that differ only in the sign of zero or in an absent value', () => {
    const stored = copies(1)
    const sent = copies(3)
    sent.latitude[0] = -0
    sent.battery[1] = 0

    const added = addedPoints(stored, sortPoints(sent))

    assert.equal(added.count, 2)
  })
})

describe('mergePoints', () => {
  test('gives all points of both in canonical order', () => {
    fc.assert(
      fc.property(sortedSimilarPoints, sortedSimilarPoints, (a, b) => {
        const merged = mergePoints(a, b)

        assert.deepEqual(merged, sortPoints(concatColumns([a, b])))
      }),
    )
  })
})

describe('concatColumns', () => {
  test('puts points one after another, and gives none for an empty list', () => {
    const joined = concatColumns([copies(2), emptyColumns(0), copies(1)])

    assert.deepEqual(joined, copies(3))
    assert.equal(concatColumns([]).count, 0)
  })
})

describe('firstIndexAtOrAfter and firstIndexAfter', () => {
  test('find where a time begins and ends', () => {
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

/** The plain model: strike each stored point off the list of sent ones once. */
function withoutStored(sent: string[], stored: string[]): string[] {
  const known = [...stored]
  return sent.filter((point) => {
    const at = known.indexOf(point)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}
