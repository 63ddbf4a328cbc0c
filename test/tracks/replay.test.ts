import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import type { EventReplay } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)

describeOn(databases, 'The replay', async (database) => {
  const service = await startService({ after }, database, {
    services: ['tracks'],
    signedIn: true,
    now: () => START_MS + 120_000,
  })
  const { answer, request } = service

  /** Creates an event with a runner of each given start, who walks north for a minute. */
  async function freshEvent(startsMs: readonly number[], fields: object = {}) {
    const { id, phone } = await createEvent(service, { name: 'Trail', ...fields })
    const trackIds: string[] = []
    for (const [i, startMs] of startsMs.entries()) {
      const start_ts = new Date(startMs).toISOString()
      const trackId = await phone.create({ title: `Runner ${i + 1}`, user_id: 'secret-user', start_ts })
      await phone.add(trackId, makePoints(61, startMs))
      trackIds.push(trackId)
    }
    const share = async (body: object = {}) => {
      const made = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, body)
      return `/shares/${new URL(made.url!).pathname.slice(3)}`
    }
    return { id, phone, trackIds, share, path: `/operator/events/${id}/replay` }
  }

  test('has every track with its own start, by start, reduced to what even motion needs', async () => {
    const { path, trackIds } = await freshEvent([START_MS + 90_000, START_MS])

    const { tracks_total, tracks } = await answer<EventReplay>(200, 'GET', path)

    assert.equal(tracks_total, 2)
    assert.deepEqual(
      tracks.map(({ track_id, title, start_ms }) => [track_id, title, start_ms]),
      [
        [trackIds[1], 'Runner 2', START_MS],
        [trackIds[0], 'Runner 1', START_MS + 90_000],
      ],
    )
    assert.deepEqual(tracks[0].time_sec, [0, 60])
    assert.deepEqual(tracks[0].latitude, [48.85, 48.8506])
    assert.deepEqual(tracks[0].distance_m, [0, 67])
  })

  test('goes on with new points, also when it was asked for before', async () => {
    const { path, phone, trackIds } = await freshEvent([START_MS])
    const before = await answer<EventReplay>(200, 'GET', path)

    await phone.add(trackIds[0], makePoints(121, START_MS).slice(61))
    const after = await answer<EventReplay>(200, 'GET', path)

    assert.deepEqual(
      [before, after].map(({ tracks }) => tracks[0].time_sec.at(-1)),
      [60, 120],
    )
  })

  test('leaves out tracks without a position, and is empty for an empty event', async () => {
    const { path, phone } = await freshEvent([])
    await phone.create({ title: 'Waiting' })

    assert.deepEqual(await answer<EventReplay>(200, 'GET', path), { tracks_total: 0, tracks: [] })
  })

  test('is compressed for those who ask for it', async () => {
    const { path } = await freshEvent([START_MS])

    const plain = await answer<EventReplay>(200, 'GET', path)
    const encoded = await request('GET', path, undefined, { 'Accept-Encoding': 'gzip' })

    assert.equal(encoded.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(await encoded.json(), plain)
  })

  test('shows spectators the shared tracks, and neither users nor devices', async () => {
    const { share, trackIds } = await freshEvent([START_MS, START_MS])

    const all = await answer<EventReplay>(200, 'GET', `${await share()}/replay`)
    const one = await answer<EventReplay>(200, 'GET', `${await share({ track_id: trackIds[1] })}/replay`)

    assert.equal(all.tracks.length, 2)
    assert.deepEqual([one.tracks_total, one.tracks.map(({ track_id }) => track_id)], [1, [trackIds[1]]])
    assert.ok(!JSON.stringify([all, one]).includes('secret'))
  })

  test('shows spectators no more than the delay of the event allows, and operators everything', async () => {
    const { path, share } = await freshEvent([START_MS, START_MS + 20_000, START_MS + 61_000], {
      spectator_delay_sec: 60,
    })

    const all = await answer<EventReplay>(200, 'GET', path)
    const delayed = await answer<EventReplay>(200, 'GET', `${await share()}/replay`)

    assert.deepEqual(
      [all, delayed].map(({ tracks }) => tracks.map(({ title, time_sec }) => [title, time_sec.at(-1)])),
      [
        [
          ['Runner 1', 60],
          ['Runner 2', 60],
          ['Runner 3', 60],
        ],
        [
          ['Runner 1', 60],
          ['Runner 2', 40],
        ],
      ],
    )
  })

  test('shows the part of a track that is shown', async () => {
    const { path, trackIds } = await freshEvent([START_MS])
    const [shown_from, shown_until] = [20_000, 50_000].map((ms) => new Date(START_MS + ms).toISOString())
    await answer<EventReplay>(200, 'GET', path)

    await answer(200, 'PATCH', `/operator/tracks/${trackIds[0]}`, { shown_from, shown_until })
    const { tracks } = await answer<EventReplay>(200, 'GET', path)

    assert.deepEqual([tracks[0].start_ms, tracks[0].time_sec], [START_MS + 20_000, [0, 30]])
  })

  test('of an unknown event or share is not found', async () => {
    const unknown = '/operator/events/5d0c7a5e-9a53-4c1c-8d70-0c7f2f0a9b11/replay'

    await readProblem(await request('GET', unknown), 404, 'NOT_FOUND')
    await readProblem(await request('GET', '/shares/shr_unknown/replay'), 404, 'NOT_FOUND')
  })
})
