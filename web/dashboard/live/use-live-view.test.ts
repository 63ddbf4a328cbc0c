import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineUntil } from './use-live-view.ts'

const series = {
  time_ms: [1, 2, 3, 4, 5],
  longitude: [179, -179, 10, 11, 12],
  latitude: [1, 2, 3, 4, 5],
  gaps: [{ index: 2, reason: 'pause' as const }],
}

test('lineUntil splits a line at its gaps and continues it across the antimeridian', () => {
  const [first, second] = lineUntil({ ...series, longitude: [179, -179, -178, -177, -176] }, Number.POSITIVE_INFINITY)

  assert.deepEqual(first, [
    [179, 1],
    [181, 2],
  ])
  assert.deepEqual(second, [
    [182, 3],
    [183, 4],
    [184, 5],
  ])
})

test('lineUntil ends a line where the live line begins', () => {
  assert.deepEqual(
    lineUntil(series, 4).map((part) => part.length),
    [2, 2],
  )
  assert.deepEqual(
    lineUntil(series, 2).map((part) => part.length),
    [2],
  )
})
