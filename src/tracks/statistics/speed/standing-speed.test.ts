import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stoppedBelowMps } from './standing-speed.ts'

describe('stoppedBelowMps', () => {
  test('is the standing speed of the activity, raised by a fast track up to that of a bike', () => {
    assert.equal(stoppedBelowMps('hike', 0.6), 0.28)
    assert.equal(stoppedBelowMps('run', 3), 1)
    assert.equal(stoppedBelowMps('run', 8), 1.11)
    assert.equal(stoppedBelowMps('bike', 2), 1.11)
    assert.equal(stoppedBelowMps('bike', 8), 1.11)
  })
})
