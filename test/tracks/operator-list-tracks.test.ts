import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TrackSummaryList } from '../../src/tracks/api/operator-track-schemas.ts'
import type { Share, SharedTrackList } from '../../src/tracks/shares/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeTracks('GET /operator/events/:id/tracks', { signedIn: true }, async ({ service }) => {
  const { answer, request } = service

  /** Creates an event of its own, with functions for its phones' requests and its list. */
  async function freshEvent() {
    const { id, phone } = await createEvent(service, { name: 'Fresh' })
    const list = (query = '') => answer<TrackSummaryList>(200, 'GET', `/operator/events/${id}/tracks${query}`)
    const titles = async (query = '') => (await list(query)).tracks.map(({ title }) => title)
    /** Reads a track and waits until its statistics are stored. */
    async function compute(trackId: string) {
      const track = await phone.read(trackId)
      while ((await list()).tracks.find((listed) => listed.id === trackId)!.stats === null) await wait(10)
      return track
    }
    return { id, ...phone, list, titles, compute }
  }

  test('lists tracks, newest start first, with their statistics once computed', async () => {
    const event = await freshEvent()
    await event.create({ title: 'Old', start_ts: '2026-01-01T00:00:00Z', user_id: 'user-1' })
    const id = await event.sync({ track: { title: 'New', start_ts: '2026-02-01T00:00:00Z' }, points: makePoints(60) })
    const { stats } = await event.compute(id)

    const { tracks, total, next_cursor } = await event.list()

    assert.deepEqual([tracks.map(({ title }) => title), total, next_cursor], [['New', 'Old'], 2, null])
    assert.equal(tracks[0].stats?.distance_meters, stats.distance_meters)
    assert.equal(tracks[0].points_count, 60)
    assert.equal(tracks[0].last_point_at, makePoints(60)[59].timestamp)
    assert.deepEqual([tracks[1].user_id, tracks[1].last_point_at], ['user-1', null])
  })

  test('finds text in titles, users and device ids regardless of case and accents', async () => {
    const event = await freshEvent()
    await event.create({ title: 'Été à Évian' })
    await event.create({ title: 'Winter', user_id: 'ÉLODIE' })
    await event.create({ title: 'Other', device_track_id: 'Phone_7%' })
    await event.update(await event.create({ title: 'Before' }), { title: 'Après' })

    assert.deepEqual(await event.titles('?q=ETE'), ['Été à Évian'])
    assert.deepEqual(await event.titles(`?q=${encodeURIComponent('élodie')}`), ['Winter'])
    assert.deepEqual(await event.titles(`?q=${encodeURIComponent('_7%')}`), ['Other'])
    assert.deepEqual(await event.titles('?q=apres'), ['Après'])
    assert.deepEqual(await event.titles('?q=before'), [])
  })

  test('returns the named tracks of the event, to operators and spectators, and no others', async () => {
    const [event, other] = [await freshEvent(), await freshEvent()]
    const ids = [await event.create({ title: 'A' }), await event.create({ title: 'B' })]
    const foreign = await other.create({ title: 'Foreign' })
    await event.create({ title: 'C' })
    const { url } = await answer<Share>(201, 'POST', `/operator/events/${event.id}/shares`, {})
    const query = `?ids=${[...ids, foreign]}&limit=1&q=nothing`

    const ofOperator = await event.list(query)
    const ofSpectator = await answer<SharedTrackList>(
      200,
      'GET',
      `/shares/${url!.split('/').at(-1)}/tracks${query.split('&q')[0]}`,
    )

    assert.deepEqual([ofOperator.total, ofOperator.next_cursor, ofSpectator.next_cursor], [2, null, null])
    for (const { tracks } of [ofOperator, ofSpectator])
      assert.deepEqual(tracks.map(({ title }) => title).sort(), ['A', 'B'])
    for (const wrong of ['', 'a', `${ids[0]},`, Array(101).fill(ids[0]).join()]) {
      assert.equal((await request('GET', `/operator/events/${event.id}/tracks?ids=${wrong}`)).status, 400)
    }
  })

  test('filters by state, activity and start, and counts the matches', async () => {
    const event = await freshEvent()
    await event.create({ title: 'Run', start_ts: '2026-01-01T00:00:00Z' })
    await event.sync({ track: { title: 'Ride', activity_type: 'bike', start_ts: '2026-02-01T00:00:00Z' } })

    assert.deepEqual(await event.titles('?state=running'), ['Run'])
    assert.deepEqual(await event.titles('?activity_type=bike'), ['Ride'])
    assert.deepEqual(await event.titles('?from=2026-01-15T00:00:00Z'), ['Ride'])
    assert.deepEqual(await event.titles('?to=2026-02-01T00:00:00Z'), ['Run'])
    assert.equal((await event.list('?state=paused')).total, 0)
  })

  test('sorts by every key in both orders', async () => {
    const event = await freshEvent()
    const start = Date.UTC(2026, 0, 1)
    for (const [title, points, day] of [
      ['b', 30, 3],
      ['À', 10, 2],
      ['c', 20, 1],
    ] as const) {
      const startMs = start + day * 86_400_000
      const track = { title, start_ts: new Date(startMs).toISOString() }
      await event.compute(await event.sync({ track, points: makePoints(points, startMs) }))
    }

    const orders: Record<string, string[]> = {}
    for (const sort of ['start', 'title', 'distance', 'duration', 'points', 'updated']) {
      orders[sort] = await event.titles(`?sort=${sort}&order=asc`)
      assert.deepEqual(await event.titles(`?sort=${sort}&order=desc`), orders[sort].toReversed())
    }

    assert.deepEqual(orders, {
      start: ['c', 'À', 'b'],
      title: ['À', 'b', 'c'],
      distance: ['À', 'c', 'b'],
      duration: ['À', 'c', 'b'],
      points: ['À', 'c', 'b'],
      updated: ['b', 'À', 'c'],
    })
  })

  test('pages through equal sort keys in any order, each track once', async () => {
    const event = await freshEvent()
    for (let i = 0; i < 7; i++) await event.create({ title: `Track ${i >> 1}`, start_ts: '2026-01-01T00:00:00Z' })

    for (const sort of ['start', 'title', 'distance', 'duration', 'points', 'updated']) {
      const seen: string[] = []
      for (let query = `?limit=3&sort=${sort}`; ; ) {
        const { tracks, next_cursor, total } = await event.list(query)
        seen.push(...tracks.map(({ id }) => id))
        assert.equal(total, 7)
        if (next_cursor === null) break
        query = `?limit=3&sort=${sort}&cursor=${encodeURIComponent(next_cursor)}`
      }
      assert.deepEqual([seen.length, new Set(seen).size], [7, 7], sort)
    }
  })

  test('answers 400 for a cursor of another order, an unknown order and a limit that is too large', async () => {
    const event = await freshEvent()
    await event.create()
    await event.create()
    const { next_cursor } = await event.list('?limit=1&sort=title')
    const path = `/operator/events/${event.id}/tracks`

    assert.deepEqual(await wrongPlaces(await request('GET', `${path}?sort=start&cursor=${next_cursor}`)), ['cursor'])
    assert.deepEqual(await wrongPlaces(await request('GET', `${path}?cursor=nonsense`)), ['cursor'])
    assert.deepEqual(await wrongPlaces(await request('GET', `${path}?sort=color`)), ['sort'])
    assert.deepEqual(await wrongPlaces(await request('GET', `${path}?limit=501`)), ['limit'])
  })

  test('answers 404 for an unknown event', async () => {
    await readProblem(await request('GET', '/operator/events/unknown/tracks'), 404, 'NOT_FOUND')
  })
})
