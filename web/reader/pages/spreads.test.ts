import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adjacentPage, isRightToLeft, visiblePages } from './spreads.ts'

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

test('documents in Arabic or Hebrew read from right to left', () => {
  const languages = ['ar', 'he-IL', 'fa', 'az-Arab', 'en', 'fr-CH', 'hu', undefined]

  assert.deepEqual(languages.map(isRightToLeft), [true, true, true, true, false, false, false, false])
})
