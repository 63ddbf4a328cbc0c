import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedCache } from './bounded-cache.ts'

test('a bounded cache forgets the least recently used entry', () => {
  const cache = boundedCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)

  assert.deepEqual([...cache.keys()].sort(), ['a', 'c'])
})
