import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quantilesOf } from './quantiles.ts'

test('quantiles are measured times, regardless of order', () => {
  const timesMs = Array.from({ length: 200 }, (_, at) => ((at * 73) % 200) + 1)

  assert.deepEqual(quantilesOf(timesMs), { count: 200, p50Ms: 100, p99Ms: 198, maxMs: 200 })
})

test('quantiles of one time are that time, and without times zero', () => {
  assert.deepEqual(quantilesOf([7]), { count: 1, p50Ms: 7, p99Ms: 7, maxMs: 7 })
  assert.deepEqual(quantilesOf([]), { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 })
})
