import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageCharacters } from './text-limits.ts'

test('a page keeps its share of the text that a document may have, within limits', () => {
  assert.deepEqual([1, 400, 1_000, 5_000, 100_000].map(pageCharacters), [120_000, 120_000, 50_000, 10_000, 10_000])
})
