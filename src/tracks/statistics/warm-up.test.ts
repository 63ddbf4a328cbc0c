import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sliceColumns } from '../points/point-columns.ts'
import { computeStatistics } from './statistics.ts'
import { terrainHeights, tilesUnder } from './terrain-heights.ts'
import { asRecorded, eventfulWalk, terrainUnderWalk, warmUpRequests } from './warm-up.ts'

describe('eventfulWalk', () => {
  test('has an example of what statistics have a rule for', () => {
    const { method, left_out } = computeStatistics(eventfulWalk(8192), [], {
      activityType: 'run',
      maxAccuracyMeters: 50,
    })

    assert.equal(method.elevation, 'kalman')
    assert.ok(left_out.spike_points > 0 && left_out.altitudes > 0)
    assert.ok(left_out.teleport_legs > 0 && left_out.stopped_legs > 0)
  })
})

describe('asRecorded', () => {
  test('makes a walk without speeds, with times that are taken and altitudes that are more exact', () => {
    const { method, left_out } = computeStatistics(asRecorded(eventfulWalk(8192)), [], {
      activityType: 'bike',
      maxAccuracyMeters: 50,
    })

    assert.equal(method.max_speed, 'positions')
    assert.ok(left_out.same_time_points > 0)
    assert.ok(method.elevation === 'kalman' && method.altitude_noise_m! < 1.6, `${method.altitude_noise_m} m`)
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
