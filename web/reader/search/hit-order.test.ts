import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hitBeside, numberOfHit } from './hit-order.ts'

describe('the order of hits', () => {
  const pages = [
    { page: 2, hits: 2 },
    { page: 5, hits: 1 },
  ]

  test('goes from hit to hit and from the last to the first, both ways', () => {
    assert.deepEqual(hitBeside(pages, { page: 2, at: 0 }, 1, 1), { page: 2, at: 1 })
    assert.deepEqual(hitBeside(pages, { page: 2, at: 1 }, 1, 1), { page: 5, at: 0 })
    assert.deepEqual(hitBeside(pages, { page: 5, at: 0 }, 1, 1), { page: 2, at: 0 })
    assert.deepEqual(hitBeside(pages, { page: 2, at: 0 }, 1, -1), { page: 5, at: 0 })
    assert.deepEqual(hitBeside(pages, { page: 5, at: 0 }, 1, -1), { page: 2, at: 1 })
  })

  test('begins where somebody reads', () => {
    assert.deepEqual(hitBeside(pages, undefined, 5, 1), { page: 5, at: 0 })
    assert.deepEqual(hitBeside(pages, undefined, 5, -1), { page: 2, at: 1 })
    assert.deepEqual(hitBeside(pages, undefined, 6, 1), { page: 2, at: 0 })
    assert.equal(hitBeside([], undefined, 1, 1), undefined)
  })

  test('numbers all of them', () => {
    assert.deepEqual(
      [
        { page: 2, at: 1 },
        { page: 5, at: 0 },
      ].map((hit) => numberOfHit(pages, hit)),
      [2, 3],
    )
  })
})
