import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSyncBody } from './read-sync-body.ts'

const POINT = { latitude: 48.8566, longitude: 2.3522, timestamp: '2026-11-21T10:00:00.000Z' }

function read(value: unknown) {
  return readSyncBody(Buffer.from(JSON.stringify(value)), 10, 'strict')
}

describe('readSyncBody', () => {
  test('returns track and stats as sent, with the points', () => {
    const body = read({
      track: { device_track_id: 'a', title: 'é"\\' },
      points: [POINT, POINT],
      stats: { points_count: 2 },
    })

    assert.deepEqual(body.track, { device_track_id: 'a', title: 'é"\\' })
    assert.deepEqual(body.stats, { points_count: 2 })
    assert.deepEqual([body.points.count, body.errors, body.errorCount], [2, [], 0])
  })

  test('leaves the errors of track and stats to the caller', () => {
    const body = read({ track: [1], points: [], stats: 'none' })

    assert.deepEqual([body.track, body.stats, body.errors], [[1], 'none', []])
  })

  test('returns undefined for absent fields', () => {
    const { track, stats, errors } = read({})

    assert.deepEqual([track, stats, errors], [undefined, undefined, [{ path: 'points', message: 'is required' }]])
  })

  test('returns the errors of the points, and no points', () => {
    const body = read({ track: { device_track_id: 'a' }, points: [POINT, { ...POINT, latitude: 91 }] })

    assert.deepEqual(body.track, { device_track_id: 'a' })
    assert.deepEqual(body.errors, [{ path: 'points/1/latitude', message: 'must be <= 90' }])
    assert.equal(body.points.count, 0)
  })

  test('lists the first errors of the points and counts all of them', () => {
    const body = read({ points: Array(10).fill({}) })

    assert.deepEqual([body.errors.length, body.errorCount], [20, 30])
  })

  test('refuses a body that is not an object, or not JSON', () => {
    assert.throws(() => read([]), { code: 'BAD_REQUEST', message: 'The body must be an object' })
    assert.throws(() => readSyncBody(Buffer.from('{"track":{},"points":['), 10, 'strict'), { code: 'BAD_REQUEST' })
  })
})
