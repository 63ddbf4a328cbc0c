import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isRightToLeft, pageBeside, pagesShown } from './spreads.ts'

describe('two pages side by side', () => {
  test('are those of a bound book: the first alone, then two by two', () => {
    const shown = [1, 2, 3, 4, 5, 6].map((page) => pagesShown(page, 'spread', 6))

    assert.deepEqual(shown, [[1], [2, 3], [2, 3], [4, 5], [4, 5], [6]])
  })

  test('are one where the other is in another part of the document', () => {
    assert.deepEqual(
      pagesShown(400, 'spread', 800, (page) => page <= 400),
      [400],
    )
    assert.deepEqual(
      pagesShown(401, 'spread', 800, (page) => page > 400),
      [401],
    )
  })
})

test('one page is shown by itself', () => {
  assert.deepEqual(pagesShown(4, 'single', 6), [4])
  assert.deepEqual(pagesShown(4, 'scroll', 6), [4])
})

test('pages are turned to both ends and no further', () => {
  assert.deepEqual([pageBeside([2, 3], 1, 5), pageBeside([4, 5], 1, 5)], [4, undefined])
  assert.deepEqual([pageBeside([2, 3], -1, 5), pageBeside([1], -1, 5)], [1, undefined])
})

test('documents in Arabic or Hebrew are turned from left to right', () => {
  const languages = ['ar', 'he-IL', 'fa', 'az-Arab', 'en', 'fr-CH', 'hu', undefined]

  assert.deepEqual(languages.map(isRightToLeft), [true, true, true, true, false, false, false, false])
})
