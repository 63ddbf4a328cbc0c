import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { carriedBelowMps } from './standing-speed.ts'

describe('carriedBelowMps', () => {
  test('is the standing speed of the activity, raised by a fast track up to that of a bike', () => {
    assert.equal(carriedBelowMps('hike', 0.6), 0.28)
    assert.equal(carriedBelowMps('run', 3), 1)
    assert.equal(carriedBelowMps('run', 8), 1.11)
    assert.equal(carriedBelowMps('bike', 2), 1.11)
    assert.equal(carriedBelowMps('bike', 8), 1.11)
  })
})
