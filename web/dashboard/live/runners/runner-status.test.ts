import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { heardMs, statusOf } from './runner-status.ts'

const NOW_MS = Date.UTC(2026, 4, 3, 12)
const MINUTE_MS = 60_000
const at = (minutesAgo: number) => new Date(NOW_MS - minutesAgo * MINUTE_MS).toISOString()
const track = (lastPointMinutesAgo: number | null, updatedMinutesAgo = 0) => ({
  last_point_at: lastPointMinutesAgo === null ? null : at(lastPointMinutesAgo),
  start_ts: at(120),
  updated_at: at(updatedMinutesAgo),
})

describe('the time when a runner was last heard of', () => {
  test('is that of the last point, or of a later position on the map', () => {
    assert.equal(heardMs(track(10), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS - 10 * MINUTE_MS)
    assert.equal(heardMs(track(10), NOW_MS - MINUTE_MS, NOW_MS), NOW_MS - MINUTE_MS)
  })

  test('is the start of a track without points', () => {
    assert.equal(heardMs(track(null), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS - 120 * MINUTE_MS)
  })

  test('is never in the future, however wrong the clock of a phone is', () => {
    const in59Years = -59 * 365 * 24 * 60

    assert.equal(heardMs(track(-2), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS)
    assert.equal(heardMs(track(in59Years, 7), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS - 7 * MINUTE_MS)
    assert.equal(heardMs(track(in59Years, -1), Number.NEGATIVE_INFINITY, NOW_MS), NOW_MS)
  })
})

describe('the status of a runner', () => {
  const after = (state: 'running' | 'paused' | 'stopped', minutes: number) =>
    statusOf({ state }, NOW_MS - minutes * MINUTE_MS, NOW_MS, 300)

  test('is silent once nothing was heard for longer than the event allows', () => {
    assert.equal(after('running', 5), 'running')
    assert.equal(after('running', 45), 'silent')
  })

  test('is not silent for one who pauses or has finished', () => {
    assert.deepEqual([after('paused', 45), after('stopped', 45)], ['paused', 'stopped'])
  })
})
