import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyColumns } from '../points/point-columns.ts'
import { partitionAppends } from './partition-appends.ts'
import type { TrackEnd } from './track-end-cache.ts'

function request(trackId: string, ...timesMs: number[]) {
  const points = emptyColumns(timesMs.length)
  points.timeMs.set(timesMs)
  return { eventId: 'event', trackId, points }
}

function ends(...rows: [id: string, lastMs: number | null, eventId?: string][]): Map<string, TrackEnd> {
  return new Map(
    rows.map(([id, last_point_ms, event_id = 'event']) => [id, { id, event_id, last_point_ms, loose_chunks: 0 }]),
  )
}

describe('partitionAppends', () => {
  test('finds the points that come after all others of their track', () => {
    const empty = request('empty', 1, 2)
    const later = request('recording', 11, 12)

    const { unknown, latest, others } = partitionAppends([empty, later], ends(['empty', null], ['recording', 10]))

    assert.deepEqual([unknown, others], [[], []])
    assert.deepEqual(
      latest.map(({ requests }) => requests),
      [[empty], [later]],
    )
  })

  test('puts requests of one track in the order of time, whatever order they came in', () => {
    const second = request('a', 3, 4)
    const first = request('a', 1, 2)

    const { latest } = partitionAppends([second, first], ends(['a', null]))

    assert.deepEqual(latest[0].requests, [first, second])
  })

  test('leaves aside points that may be known or lie between others', () => {
    const sameTime = request('a', 10, 11)
    const between = request('a', 5)
    const next = request('a', 12, 20)
    const overlapping = request('a', 20, 30)

    const { latest, others } = partitionAppends([sameTime, between, next, overlapping], ends(['a', 10]))

    assert.deepEqual(latest[0].requests, [next])
    assert.deepEqual(others, [between, sameTime, overlapping])
  })

  test('knows no track of another event', () => {
    const foreign = request('foreign', 1)
    const missing = request('missing', 1)

    const { unknown, latest, others } = partitionAppends([foreign, missing], ends(['foreign', null, 'other event']))

    assert.deepEqual([unknown, latest, others], [[foreign, missing], [], []])
  })
})
