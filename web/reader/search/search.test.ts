import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adjacentHit, numberOfHit } from './search.ts'

describe('the order of hits', () => {
  const pages = [
    { page: 2, hits: 2 },
    { page: 5, hits: 1 },
  ]

  test('steps from hit to hit and wraps around at both ends', () => {
    assert.deepEqual(adjacentHit(pages, { page: 2, index: 0 }, 1, 1), { page: 2, index: 1 })
    assert.deepEqual(adjacentHit(pages, { page: 2, index: 1 }, 1, 1), { page: 5, index: 0 })
    assert.deepEqual(adjacentHit(pages, { page: 5, index: 0 }, 1, 1), { page: 2, index: 0 })
    assert.deepEqual(adjacentHit(pages, { page: 2, index: 0 }, 1, -1), { page: 5, index: 0 })
    assert.deepEqual(adjacentHit(pages, { page: 5, index: 0 }, 1, -1), { page: 2, index: 1 })
  })

  test('starts at the page being read', () => {
    assert.deepEqual(adjacentHit(pages, undefined, 5, 1), { page: 5, index: 0 })
    assert.deepEqual(adjacentHit(pages, undefined, 5, -1), { page: 2, index: 1 })
    assert.deepEqual(adjacentHit(pages, undefined, 6, 1), { page: 2, index: 0 })
    assert.equal(adjacentHit([], undefined, 1, 1), undefined)
  })

  test('numbers the hits through the document', () => {
    assert.deepEqual(
      [
        { page: 2, index: 1 },
        { page: 5, index: 0 },
      ].map((hit) => numberOfHit(pages, hit)),
      [2, 3],
    )
  })
})
