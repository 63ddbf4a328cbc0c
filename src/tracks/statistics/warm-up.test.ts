import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sliceColumns } from '../points/point-columns.ts'
import { computeStatistics } from './statistics.ts'
import { terrainHeights, tilesUnder } from './terrain-heights.ts'
import { asRecorded, eventfulWalk, terrainUnderWalk, warmUpRequests } from './warm-up.ts'

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

describe('asRecorded', () => {
  test('makes a walk without speeds, with times that are taken and altitudes that are more exact', () => {
    const { method, leftOut } = computeStatistics(asRecorded(eventfulWalk(8192)), [], {
      activityType: 'bike',
      maxAccuracyMeters: 50,
    })

    assert.equal(method.maxSpeed, 'positions')
    assert.ok(leftOut.sameTimePoints > 0)
    assert.ok(method.elevation === 'kalman' && method.altitudeNoiseMeters! < 1.6, `${method.altitudeNoiseMeters} m`)
  })
})

describe('terrainUnderWalk', () => {
  test('agrees with the altitudes of the walk, so that climbs are estimated with it', () => {
    const walk = eventfulWalk(8192)
    const settings = { activityType: 'run', maxAccuracyMeters: 50 } as const
    for (const points of [walk, sliceColumns(walk, 0, 4096)]) {
      const terrain = terrainHeights(terrainUnderWalk(tilesUnder(points, { minZoom: 13, maxZoom: 13 })))

      assert.equal(computeStatistics(points, [], { ...settings, terrain }).method.elevation, 'terrain')
    }
  })
})

describe('warmUpRequests', () => {
  test('leaves no memory behind for the collector', () => {
    const before = process.memoryUsage().arrayBuffers

    const requests = [...warmUpRequests()]

    assert.ok(requests.length > 10)
    // A single request takes 0.4 MB.
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000)
  })
})
