import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adjacentPage, fittedWidths, visiblePages } from './page-layout.ts'

describe('the two-page view', () => {
  test('shows the first page alone and then two by two, as a bound book does', () => {
    const shown = [1, 2, 3, 4, 5, 6].map((page) => visiblePages(page, 'spread', 6))

    assert.deepEqual(shown, [[1], [2, 3], [2, 3], [4, 5], [4, 5], [6]])
  })

  test('shows one page if the other is in another part of the document', () => {
    assert.deepEqual(
      visiblePages(400, 'spread', 800, (page) => page <= 400),
      [400],
    )
    assert.deepEqual(
      visiblePages(401, 'spread', 800, (page) => page > 400),
      [401],
    )
  })
})

test('the other views show one page', () => {
  assert.deepEqual(visiblePages(4, 'single', 6), [4])
  assert.deepEqual(visiblePages(4, 'scroll', 6), [4])
})

test('turning pages stops at both ends', () => {
  assert.deepEqual([adjacentPage([2, 3], 1, 5), adjacentPage([4, 5], 1, 5)], [4, undefined])
  assert.deepEqual([adjacentPage([2, 3], -1, 5), adjacentPage([1], -1, 5)], [1, undefined])
})

describe('fittedWidths', () => {
  const space = { width: 1000, height: 824 }

  test('fits pages side by side at one height', () => {
    assert.deepEqual(fittedWidths([1.6], space), [500])
    assert.deepEqual(fittedWidths([2, 0.8], { width: 524, height: 824 }), [149, 374])
    assert.deepEqual(fittedWidths([1.6], { width: 844, height: 326 }), [200])
  })

  test('keeps very tall pages wide enough to read', () => {
    assert.deepEqual(fittedWidths([15], space), [600])
    assert.deepEqual(fittedWidths([15], { width: 390, height: 800 }), [390])
  })
})
