import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SentDeletions } from './catch-up.ts'

describe('SentDeletions', () => {
  test('names each deletion once, and remembers only what a poll found last', () => {
    const deletions = new SentDeletions()

    const first = deletions.newsOf([{ id: 'a' }])
    const second = deletions.newsOf([{ id: 'a' }, { id: 'b' }])
    const third = deletions.newsOf([{ id: 'b' }])

    assert.deepEqual([first, second, third], [[{ id: 'a' }], [{ id: 'b' }], []])
    assert.equal(deletions.size, 1)
  })
})
