import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wayOf } from './line-until.ts'

const series = {
  time_ms: [1, 2, 3, 4, 5],
  longitude: [179, -179, 10, 11, 12],
  latitude: [1, 2, 3, 4, 5],
  gaps: [{ index: 2, reason: 'pause' as const }],
}

test('the way of a track is broken at its gaps, and goes on over the antimeridian', () => {
  const [first, second] = wayOf({ ...series, longitude: [179, -179, -178, -177, -176] }, Number.POSITIVE_INFINITY)

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

test('the way of a track ends where its live line begins', () => {
  assert.deepEqual(
    wayOf(series, 4).map((part) => part.length),
    [2, 2],
  )
  assert.deepEqual(
    wayOf(series, 2).map((part) => part.length),
    [2],
  )
})
