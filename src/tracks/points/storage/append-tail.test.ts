import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wholeEvent } from '../../model/track-rows.ts'
import { emptyColumns } from '../point-columns.ts'
import { partitionAppends, type TrackEnd } from './append-tail.ts'

function request(trackId: string, ...timesMs: number[]) {
  const points = emptyColumns(timesMs.length)
  points.timeMs.set(timesMs)
  return { scope: wholeEvent('event'), trackId, points }
}

function ends(
  ...rows: [id: string, lastMs: number | null, eventId?: string, userId?: string][]
): Map<string, TrackEnd> {
  return new Map(
    rows.map(([id, last_point_ms, event_id = 'event', user_id = null]) => [
      id,
      { id, event_id, user_id, last_point_ms, point_count: 0, loose_chunks: 0, coarse_updated_at: 0, to_compact: 1 },
    ]),
  )
}

describe('partitionAppends', () => {
  test('finds requests whose points are later than all others of their track', () => {
    const empty = request('empty', 1, 2)
    const later = request('recording', 11, 12)

    const { unknown, tail, overlapping } = partitionAppends([empty, later], ends(['empty', null], ['recording', 10]))

    assert.deepEqual([unknown, overlapping], [[], []])
    assert.deepEqual(
      tail.map(({ requests }) => requests),
      [[empty], [later]],
    )
  })

  test('puts requests of one track in time order, in whatever order they arrived', () => {
    const second = request('a', 3, 4)
    const first = request('a', 1, 2)

    const { tail } = partitionAppends([second, first], ends(['a', null]))

    assert.deepEqual(tail[0].requests, [first, second])
  })

  test('separates points that may be stored or lie between stored ones', () => {
    const sameTime = request('a', 10, 11)
    const between = request('a', 5)
    const next = request('a', 12, 20)
    const beyond = request('a', 20, 30)

    const { tail, overlapping } = partitionAppends([sameTime, between, next, beyond], ends(['a', 10]))

    assert.deepEqual(tail[0].requests, [next])
    assert.deepEqual(overlapping, [between, sameTime, beyond])
  })

  test('treats a track of someone else as unknown to a request that is limited to one person', () => {
    const own = { ...request('own', 1), scope: { eventId: 'event', userId: 'anna' } }
    const foreign = { ...request('foreign', 1), scope: { eventId: 'event', userId: 'anna' } }
    const nobodys = { ...request('nobodys', 1), scope: { eventId: 'event', userId: 'anna' } }

    const { unknown, tail } = partitionAppends(
      [own, foreign, nobodys],
      ends(['own', null, 'event', 'anna'], ['foreign', null, 'event', 'bob'], ['nobodys', null]),
    )

    assert.deepEqual(unknown, [foreign, nobodys])
    assert.deepEqual(tail[0].requests, [own])
  })

  test('treats a track of another event as unknown', () => {
    const foreign = request('foreign', 1)
    const missing = request('missing', 1)

    const { unknown, tail, overlapping } = partitionAppends([foreign, missing], ends(['foreign', null, 'other event']))

    assert.deepEqual([unknown, tail, overlapping], [[foreign, missing], [], []])
  })
})
