import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WatchRegistry } from './watch-registry.ts'

test('everybody who watches a thing shares one watch, until it ends', () => {
  const registry = new WatchRegistry((id, onEnd) => ({ id, onEnd }))

  const first = registry.open('a')

  assert.equal(registry.open('a'), first)
  assert.equal(registry.find('a'), first)
  assert.notEqual(registry.open('b'), first)
  first.onEnd()
  assert.equal(registry.find('a'), undefined)
  assert.notEqual(registry.open('a'), first)
})
