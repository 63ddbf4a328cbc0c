import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { columnsOf, northward, type TestPoint } from '../../../test/support/track-columns.ts'
import { sortPoints } from '../points/point-columns.ts'
import { acceptedPoints, examineTrack, LEFT_OUT_CODES, leftOutPoints } from './examined-track.ts'

function accept(points: TestPoint[], maxAccuracyMeters = 50) {
  const { trace, sameTime, inaccurate } = acceptedPoints(columnsOf(points), maxAccuracyMeters)
  return { latitudes: [...trace.latitude], sameTime, inaccurate }
}

describe('acceptedPoints', () => {
  test('keeps the most accurate point of each time', () => {
    const points = [
      { sec: 0, latitude: 1, accuracy: 20 },
      { sec: 0, latitude: 2, accuracy: 5 },
      { sec: 0, latitude: 3, accuracy: 9 },
      { sec: 1, latitude: 4 },
    ]

    assert.deepEqual(accept(points), { latitudes: [2, 4], sameTime: 2, inaccurate: 0 })
  })

  test('keeps the first of equally accurate points of a time', () => {
    const points = [
      { sec: 0, latitude: 1, accuracy: 5 },
      { sec: 0, latitude: 2, accuracy: 5 },
      { sec: 1, latitude: 3 },
    ]

    assert.deepEqual(accept(points).latitudes, [1, 3])
  })

  test('prefers a known good accuracy to an unknown one, and an unknown one to a known bad one', () => {
    const points = [
      { sec: 0, latitude: 1 },
      { sec: 0, latitude: 2, accuracy: 30 },
      { sec: 1, latitude: 3, accuracy: 80 },
      { sec: 1, latitude: 4, accuracy: -1 },
    ]

    assert.deepEqual(accept(points), { latitudes: [2, 4], sameTime: 2, inaccurate: 0 })
  })

  test('leaves out points whose accuracy is worse than the limit, not those at it', () => {
    const points = [50, 50.1, 0, 1e308].map((accuracy, i) => ({ sec: i, latitude: i, accuracy }))

    assert.deepEqual(accept(points), { latitudes: [0, 2], sameTime: 0, inaccurate: 2 })
  })

  test('treats a negative or missing accuracy as unknown and keeps the point', () => {
    const points = [{ sec: 0, accuracy: -1 }, { sec: 1, accuracy: -1e308 }, { sec: 2 }, { sec: 3, accuracy: 99 }]

    assert.deepEqual(accept(points), { latitudes: [0, 0, 0], sameTime: 0, inaccurate: 1 })
  })

  test('leaves nothing out when fewer than two points would remain', () => {
    const points = [
      { sec: 0, latitude: 0, accuracy: 5 },
      { sec: 1, latitude: 1, accuracy: 90 },
      { sec: 2, latitude: 2, accuracy: 60 },
    ]

    assert.deepEqual(accept(points), { latitudes: [0, 1, 2], sameTime: 0, inaccurate: 0 })
  })

  test('leaves nothing out when the limit is 0', () => {
    const points = [1, 1000, 2, 3].map((accuracy, i) => ({ sec: i, latitude: i, accuracy }))

    assert.deepEqual(accept(points, 0), { latitudes: [0, 1, 2, 3], sameTime: 0, inaccurate: 0 })
  })
})

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
