import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { computeStatistics } from './statistics.ts'
import { eventfulWalk, warmUpRequests } from './warm-up.ts'

describe('eventfulWalk', () => {
  test('has an example of what statistics have a rule for', () => {
    const { method, leftOut } = computeStatistics(eventfulWalk(8192), [], {
      activityType: 'run',
      maxAccuracyMeters: 50,
    })

    assert.equal(method.elevation, 'kalman')
    assert.ok(leftOut.spikePoints > 0 && leftOut.altitudes > 0)
    assert.ok(leftOut.teleportLegs > 0 && leftOut.stoppedLegs > 0)
  })
})

describe('warmUpRequests', () => {
  test('leaves no memory behind for the collector', () => {
    const before = process.memoryUsage().arrayBuffers

    warmUpRequests()

    // A single request takes 0.4 MB.
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000)
  })
})
