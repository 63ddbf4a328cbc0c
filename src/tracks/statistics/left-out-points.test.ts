import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { columnsOf, northward } from '../../../test/support/track-columns.ts'
import { sortPoints } from '../points/point-order.ts'
import { examineTrack } from './examined-track.ts'
import { LEFT_OUT_CODES, leftOutPoints } from './left-out-points.ts'

const SETTINGS = { activityType: 'walk', maxAccuracyMeters: 50 } as const

const reasonsOf = (points: Parameters<typeof columnsOf>[0]) => {
  const columns = sortPoints(columnsOf(points))
  return [...leftOutPoints(columns, examineTrack(columns, [], SETTINGS))].map((code) => LEFT_OUT_CODES[code])
}

describe('leftOutPoints', () => {
  test('marks points of one time, inaccurate ones and spikes', () => {
    const walk = northward(8, 10, (i) => i * 10)
    const spike = { sec: 35, latitude: 1 }

    const reasons = reasonsOf([...walk.slice(0, 3), { sec: 25, accuracy: 90 }, spike, ...walk.slice(4), walk[7]])

    assert.deepEqual(reasons, [
      undefined,
      undefined,
      undefined,
      'inaccurate',
      'spike',
      ...Array(4).fill(undefined),
      'same_time',
    ])
  })

  test('marks only the best of inaccurate points of one time as inaccurate', () => {
    const walk = northward(4, 10, (i) => i * 10)

    const reasons = reasonsOf([...walk, { sec: 35, accuracy: 90 }, { sec: 35, accuracy: 80 }])

    assert.deepEqual(reasons.slice(4).sort(), ['inaccurate', 'same_time'])
  })

  test('marks as many of each kind as the statistics count', () => {
    const point = fc.record({
      sec: fc.integer({ min: 0, max: 40 }),
      latitude: fc.double({ min: 0, max: 0.01, noNaN: true }),
      accuracy: fc.constantFrom(Number.NaN, -1, 5, 60, 100),
    })
    const property = fc.property(fc.array(point, { maxLength: 60 }), (points) => {
      const columns = sortPoints(columnsOf(points))
      const track = examineTrack(columns, [], SETTINGS)
      const codes = [...leftOutPoints(columns, track)]
      const count = (code: number) => codes.filter((other) => other === code).length
      const { sameTime, inaccurate } = track.accepted
      assert.deepEqual([0, 1, 2, 3].map(count), [track.trace.count, sameTime, inaccurate, track.spikes])
    })
    fc.assert(property)
  })
})
