import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { warmUpRequests } from './warm-up.ts'

describe('warmUpRequests', () => {
  test('leaves no memory behind for the collector', () => {
    const before = process.memoryUsage().arrayBuffers

    warmUpRequests()

    // A single request takes 0.4 MB.
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000)
  })
})
