import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { wrongPlaces } from '../support/problem.ts'
import { trackRequests, type WireTrack } from '../support/track-requests.ts'

type TrackList = { tracks: WireTrack[]; next_cursor: string | null }

describeTracks('GET /tracks', async ({ service, once }) => {
  /** Makes requests of an event of its own. */
  async function freshEvent() {
    const event = await service.createEvent('Fresh')
    const request = (method: string, path: string, json?: unknown) =>
      service.request(method, path, json, { 'X-API-Key': event.token })
    const list = async (query = '') => (await (await request('GET', `/tracks${query}`)).json()) as TrackList
    return { ...trackRequests(request), list, names: async (query: string) => namesOf(await list(query)) }
  }

  test("answers 200 with the event's tracks, newest start first", async () => {
    const event = await freshEvent()
    const old = await event.create({ start_ts: '2026-01-01T00:00:00Z' })
    const recent = await event.sync({ track: { start_ts: '2026-03-01T00:00:00Z' }, points: makePoints(3) })
    const middle = await event.create({ start_ts: '2026-02-01T00:00:00Z' })

    const { tracks, next_cursor } = await event.list()

    assert.deepEqual(tracks, [await event.read(recent), await event.read(middle), await event.read(old)])
    assert.equal(next_cursor, null)
  })

  test('answers an empty list for an event without tracks', async () => {
    const event = await freshEvent()

    assert.deepEqual(await event.list(), { tracks: [], next_cursor: null })
  })

  test('pages with next_cursor through tracks with equal starts, each once', async () => {
    const event = await freshEvent()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push(await event.create({ start_ts: `2026-01-0${1 + (i >> 2)}T00:00:00Z` }))

    const pages: string[][] = []
    let query = '?limit=3'
    for (;;) {
      const { tracks, next_cursor } = await event.list(query)
      pages.push(tracks.map(({ id }) => id))
      if (next_cursor === null) break
      query = `?limit=3&cursor=${encodeURIComponent(next_cursor)}`
    }

    assert.deepEqual(
      pages.map(({ length }) => length),
      [3, 3, 1],
    )
    assert.deepEqual(pages.flat().sort(), ids.sort())
  })

  test('has no next_cursor on the last page', async () => {
    const event = await freshEvent()
    await event.create()
    await event.create()

    assert.equal((await event.list('?limit=2')).next_cursor, null)
    assert.notEqual((await event.list('?limit=1')).next_cursor, null)
  })

  once('returns 100 tracks by default and accepts a limit of up to 1,000', async () => {
    const event = await freshEvent()
    await Promise.all(Array.from({ length: 101 }, () => event.create()))

    assert.equal((await event.list()).tracks.length, 100)
    assert.equal((await event.list('?limit=1000')).tracks.length, 101)
  })

  test('filters by state, activity, user, device_track_id and start', async () => {
    const event = await freshEvent()
    const make = (device_track_id: string, fields: object) => event.create({ device_track_id, ...fields })
    await make('a', { start_ts: '2026-01-01T00:00:00Z', activity_type: 'bike', user_id: 'léa' })
    await make('b', { start_ts: '2026-01-02T00:00:00Z', activity_type: 'bike' })
    const c = await make('c', { start_ts: '2026-01-03T00:00:00Z', user_id: 'léa' })
    await event.finish(c)

    assert.deepEqual(await event.names('?state=stopped'), ['c'])
    assert.deepEqual(await event.names('?state=running'), ['b', 'a'])
    assert.deepEqual(await event.names('?activity_type=bike'), ['b', 'a'])
    assert.deepEqual(await event.names(`?user_id=${encodeURIComponent('léa')}`), ['c', 'a'])
    assert.deepEqual(await event.names('?device_track_id=b'), ['b'])
    assert.deepEqual(await event.names('?from=2026-01-02T00:00:00Z'), ['c', 'b'])
    assert.deepEqual(await event.names('?to=2026-01-02T00:00:00Z'), ['a'])
    assert.deepEqual(await event.names('?from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z'), ['b'])
    assert.deepEqual(await event.names('?activity_type=bike&user_id=nobody'), [])
    assert.deepEqual(await event.names('?colour=red'), ['c', 'b', 'a'])
  })

  test('omits tracks that are deleted while they are listed', async () => {
    const { request, asManager } = service
    const event = trackRequests(request)
    const ids = await Promise.all(Array.from({ length: 20 }, () => event.sync({ points: makePoints(3) })))

    const [deleted, lists] = await Promise.all([
      Promise.all(ids.map((id) => asManager('DELETE', `/tracks/${id}`))),
      Promise.all(ids.map(() => request('GET', '/tracks'))),
    ])

    for (const { status } of deleted) assert.equal(status, 204)
    for (const { status } of lists) assert.equal(status, 200)
  })

  test('answers 400 for invalid parameters', async () => {
    const wrong = {
      limit: ['0', '1001', '-1', 'x', '', '1.5', '1e2'],
      cursor: ['nonsense', 'MTIz', 'x'.repeat(201)],
      state: ['finished', ''],
      activity_type: ['swim', ''],
      from: ['2026-01-01', 'x', ''],
      to: ['2026-02-30T00:00:00Z'],
      user_id: ['u'.repeat(256), '%00'],
      device_track_id: ['d'.repeat(101), 'a%00b'],
    }

    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const response = await service.request('GET', `/tracks?${name}=${value}`)

        assert.deepEqual(await wrongPlaces(response), [name], value)
      }
    }
  })
})

function namesOf({ tracks }: TrackList): string[] {
  return tracks.map(({ device_track_id }) => device_track_id)
}
