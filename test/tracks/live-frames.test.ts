import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testOfTiles, tilesOf } from '../../clients/typescript/src/live/frame-tiles.ts'
import { createFrameReader, type FrameReader, type FrameTrack } from '../../clients/typescript/src/live/frames.ts'
import type { FrameJson, FrameLatest } from '../../src/tracks/frames/schemas.ts'
import type { LiveFrame } from '../../src/tracks/live/schemas.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { eventually } from '../support/becomes.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { openRace } from '../support/race-requests.ts'
import { openEvents } from '../support/read-events.ts'

describeTracks('GET …/frames', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  const { answer } = service

  async function freshEvent() {
    const { id, phone } = await createEvent(service, { name: 'Race' })
    const share = async (fields: object = {}) => {
      const { url } = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, fields)
      return `/shares/${new URL(url!).pathname.slice(3)}`
    }
    return { id, phone, share, path: await share() }
  }

  const latest = (path: string) => answer<FrameLatest>(200, 'GET', `${path}/frames/latest`)

  async function bytesOf(path: string, number: number, query = '', url = service.url) {
    const headers = { Cookie: service.operator.cookie }
    const response = await fetch(`${url}${path}/frames/${number}${query}`, { headers })
    return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : response.status
  }

  /** Follows the frames until the tracks are as they should be, as a client does. */
  async function follow(path: string, isDone: (tracks: FrameTrack[]) => boolean, reader = createFrameReader()) {
    return await eventually('frames with the tracks', async () => {
      const { key, numbers } = await latest(path)
      if (!numbers.includes(reader.number() ?? 0)) await take(path, reader, key, '?whole=true')
      for (const number of numbers) if (number > (reader.number() ?? number)) await take(path, reader, number)
      const tracks = [...reader.tracks().values()]
      return isDone(tracks) && { reader, tracks }
    })
  }

  async function take(path: string, reader: FrameReader, number: number, query = '') {
    const bytes = await bytesOf(path, number, query)
    if (typeof bytes !== 'number') reader.take(bytes)
  }

  const hasPositions = (count: number) => (tracks: FrameTrack[]) =>
    tracks.filter(({ latitude }) => latitude !== null).length === count

  test('begins with a whole frame, and goes on with the tracks that differ', async () => {
    const { phone, path } = await freshEvent()
    const [moving, resting] = [await phone.create({ title: 'Moving' }), await phone.create({ title: 'Resting' })]
    const startMs = Date.now() - 60_000
    for (const id of [moving, resting]) await phone.add(id, makePoints(3, startMs))
    const first = await follow(path, hasPositions(2))

    const points = [{ latitude: 46.12345, longitude: 6.54321, timestamp: new Date().toISOString() }]
    await phone.add(moving, points)
    const then = await follow(path, (tracks) => tracks.some(({ latitude }) => latitude === 46.12345), first.reader)

    const [before, now] = [first.tracks, then.tracks].map((tracks) => tracks.find(({ id }) => id === resting))
    assert.deepEqual(now, before)
    const moved = then.tracks.find(({ id }) => id === moving)!
    assert.equal(moved.longitude, 6.54321)
    assert.equal(moved.timeMs, Math.floor(Date.parse(points[0].timestamp) / 1000) * 1000)
    const number = then.reader.number()!
    const json = await answer<FrameJson>(200, 'GET', `${path}/frames/${number}?format=json`)
    assert.equal(json.number, number)
    assert.ok(json.tracks.every(({ id }) => id !== resting))
  })

  test('tells the speed: by the phone, by the last positions, by the frame before, and none after a silence', async () => {
    const { phone, path } = await freshEvent()
    const now = Date.now()
    const at = (secAgo: number, meters: number, more: object = {}) => [
      {
        latitude: 46 + meters / 111_195,
        longitude: 6.5,
        timestamp: new Date(now - secAgo * 1000).toISOString(),
        ...more,
      },
    ]
    const [told, walked, followed, silent] = [
      await phone.create({ title: 'told' }),
      await phone.create({ title: 'walked' }),
      await phone.create({ title: 'followed' }),
      await phone.create({ title: 'silent' }),
    ]
    await phone.add(told, at(30, 0, { speed_mps: 4.2 }))
    await phone.add(walked, [...at(30, 0), ...at(25, 7.5), ...at(20, 15)])
    await phone.add(followed, at(30, 0))
    await phone.add(silent, at(900, 0))
    const { reader } = await follow(path, hasPositions(4))
    await phone.add(followed, at(10, 60))
    await phone.add(silent, at(10, 60))

    const isRecent = ({ timeMs }: FrameTrack) => timeMs! > now - 15_000
    const { tracks } = await follow(path, (all) => all.filter(isRecent).length === 2, reader)

    const speedOf = (id: string) => tracks.find((track) => track.id === id)!.speedMps
    assert.deepEqual([told, walked, silent].map(speedOf), [4.2, 1.5, null])
    assert.ok(Math.abs(speedOf(followed)! - 3) < 0.2, `${speedOf(followed)}`)
    const { key } = await latest(path)
    const json = await answer<FrameJson>(200, 'GET', `${path}/frames/${key}?whole=true&format=json`)
    assert.ok(json.tracks.some(({ speed_mps }) => speed_mps === 4.2))
  })

  test('lets caches keep a frame, and the newest for a second', async () => {
    const { id, phone, path } = await freshEvent()
    await phone.create({ title: 'Alone' })
    const { key } = await latest(path)
    const address = `${path}/frames/${key}?whole=true`

    const whole = await service.request('GET', address, undefined, { 'Accept-Encoding': 'gzip' })
    const again = await service.request('GET', address, undefined, {
      'Accept-Encoding': 'gzip',
      'If-None-Match': whole.headers.get('etag')!,
    })
    const newest = await service.request('GET', `${path}/frames/latest`)
    const none = await service.request('GET', `${path}/frames/1`)
    const ofOperator = await service.request('GET', `/operator/events/${id}/frames/${key}?whole=true`)

    assert.equal(whole.headers.get('cache-control'), 'public, max-age=120, s-maxage=120, immutable')
    assert.equal(whole.headers.get('content-type'), 'application/vnd.trackpress.frame')
    assert.equal(whole.headers.get('content-encoding'), 'gzip')
    assert.match(whole.headers.get('vary')!, /accept-encoding/i)
    assert.equal(again.status, 304)
    assert.equal(newest.headers.get('cache-control'), 'public, max-age=0, s-maxage=1')
    assert.equal(none.status, 404)
    assert.equal(none.headers.get('cache-control'), 'no-store')
    assert.match(ofOperator.headers.get('cache-control')!, /^private/)
  })

  test('shows spectators no charge of phones, and operators the class of it', async () => {
    const { id, phone, path } = await freshEvent()
    const track = await phone.create({ title: 'Charged' })
    await phone.add(
      track,
      makePoints(3, Date.now() - 10_000).map((point) => ({ ...point, battery: 0.42 })),
    )

    const { tracks } = await follow(path, hasPositions(1))
    const { key } = await answer<FrameLatest>(200, 'GET', `/operator/events/${id}/frames/latest`)
    const ofOperator = await answer<FrameJson>(
      200,
      'GET',
      `/operator/events/${id}/frames/${key}?whole=true&format=json`,
    )
    const ofSpectator = await answer<FrameJson>(200, 'GET', `${path}/frames/${key}?whole=true&format=json`)

    assert.equal(tracks[0].battery, null)
    assert.equal(ofOperator.tracks[0].battery, 42)
    assert.equal('battery' in ofSpectator.tracks[0], false)
  })

  test('shows a share of one track nothing of others', async () => {
    const { phone, share } = await freshEvent()
    const [shown, hidden] = [await phone.create({ title: 'Shown' }), await phone.create({ title: 'Hidden' })]
    for (const id of [shown, hidden]) await phone.add(id, makePoints(2, Date.now() - 10_000))
    const path = await share({ track_id: shown })

    const first = await follow(path, hasPositions(1))
    await phone.add(hidden, makePoints(2, Date.now()))
    await phone.add(shown, [{ latitude: 46.5, longitude: 6.5, timestamp: new Date().toISOString() }])
    const { tracks } = await follow(path, ([{ latitude }]) => latitude === 46.5, first.reader)

    assert.deepEqual(
      tracks.map(({ id }) => id),
      [shown],
    )
  })

  test('has the tracks of a tile alone, and then those that enter or leave it', async () => {
    const { id, phone, share, path } = await freshEvent()
    const at = (longitude: number) => [
      { latitude: 46.5, longitude, battery: 0.42, timestamp: new Date(Date.now() - 1000).toISOString() },
    ]
    const [inside, enters, outside] = [
      await phone.create({ title: 'Inside' }),
      await phone.create({ title: 'Enters' }),
      await phone.create({ title: 'Outside' }),
    ]
    for (const [track, longitude] of [
      [inside, 6.5],
      [enters, 6.9],
      [outside, 6.9],
    ] as const)
      await phone.add(track, at(longitude))
    const { reader: whole } = await follow(path, hasPositions(3))
    const [tile] = tilesOf({ west: 6.5, east: 6.5, south: 46.5, north: 46.5 })!
    const place = `tiles/${tile.zoom}/${tile.x}/${tile.y}`
    const tileReader = createFrameReader(testOfTiles([tile]))
    const known = whole.number()!
    const ofTile = async (number: number, query = '') =>
      tileReader.take((await bytesOf(path, number, `/${place}${query}`)) as Uint8Array)

    const first = await ofTile(known, '?whole=true')
    await phone.add(inside, at(6.9))
    await phone.add(enters, at(6.5))
    const isMoved = (tracks: FrameTrack[]) => tracks.some((track) => track.id === enters && track.longitude === 6.5)
    const { reader } = await follow(path, isMoved, whole)
    const { numbers } = await latest(path)
    for (const number of numbers) if (number > known && number <= reader.number()!) await ofTile(number)

    assert.deepEqual(
      first!.changed.map(({ id }) => id),
      [inside],
    )
    assert.deepEqual([...tileReader.tracks().keys()], [enters])
    assert.equal(tileReader.tracks().get(enters)!.battery, null)
    const last = reader.number()!
    const response = await service.request('GET', `${path}/frames/${last}/${place}?whole=true`)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=120, s-maxage=120, immutable')
    const etag = response.headers.get('etag')!
    const again = { 'If-None-Match': etag }
    assert.equal(
      (await service.request('GET', `${path}/frames/${last}/${place}?whole=true`, undefined, again)).status,
      304,
    )
    const json = await answer<FrameJson>(
      200,
      'GET',
      `/operator/events/${id}/frames/${last}/${place}?whole=true&format=json`,
    )
    assert.deepEqual(
      json.tracks.map((track) => [track.id, track.battery]),
      [[enters, 42]],
    )
    const ofOne = await share({ track_id: outside })
    await latest(ofOne)
    const others = await answer<FrameJson>(200, 'GET', `${ofOne}/frames/${last}/${place}?whole=true&format=json`)
    assert.deepEqual(others.tracks, [])
    for (const [wrong, status] of [
      ['12/0/0', 400],
      ['15/100000/0', 400],
      ['15/-1/0', 400],
      ['15/99999/0', 200],
    ] as const) {
      assert.equal(
        (await service.request('GET', `${path}/frames/${last}/tiles/${wrong}?whole=true`)).status,
        status,
        wrong,
      )
    }
    assert.equal((await service.request('GET', `${path}/frames/1/${place}`)).status, 404)
  })

  test('shows of a trimmed track what is shown of it elsewhere', async () => {
    const { phone, path } = await freshEvent()
    const track = await phone.create({ title: 'Way home' })
    const startMs = Date.now() - 60_000
    const points = [0, 1, 2, 3].map((i) => ({
      latitude: 46 + i / 100,
      longitude: 6.5,
      timestamp: new Date(startMs + i * 10_000).toISOString(),
    }))
    await phone.add(track, points)
    const { reader } = await follow(path, ([one]) => one?.latitude === 46.03)
    const before = await latest(path)

    await answer(200, 'PATCH', `/operator/tracks/${track}`, { shown_until: new Date(startMs + 15_000).toISOString() })
    const { tracks } = await follow(path, ([one]) => one?.latitude === 46.01, reader)

    const { key } = await latest(path)
    assert.equal(tracks.length, 1)
    assert.ok(key > before.number, 'the earlier frames are no longer part of the series')
  })

  test('forgets a deleted track with all earlier frames', async () => {
    const { phone, path } = await freshEvent()
    const [stays, goes] = [await phone.create({ title: 'Stays' }), await phone.create({ title: 'Goes' })]
    for (const id of [stays, goes]) await phone.add(id, makePoints(2, Date.now() - 10_000))
    const { reader } = await follow(path, hasPositions(2))

    await answer(204, 'DELETE', `/operator/tracks/${goes}`)
    const { db } = service.server.tracks!.deps
    const kept = await db.selectFrom('live_frames').select('whole').execute()
    const { tracks } = await follow(path, (all) => all.length === 1, reader)

    const id = Buffer.from(goes.replaceAll('-', ''), 'hex')
    assert.equal(
      kept.some(({ whole }) => whole !== null && Buffer.from(whole).includes(id)),
      false,
    )
    assert.equal(tracks[0].id, stays)
  })

  test('has the ranks of a race', async () => {
    const race = await openRace(service)
    await race.run('one', [
      [-100, 0],
      [1000, 0],
    ])
    await race.run(
      'two',
      [
        [-100, 0],
        [1000, 0],
      ],
      { startSec: 60 },
    )
    const path = `/shares/${await race.share()}`

    const { tracks } = await follow(path, (all) => all.filter(({ rank }) => rank !== null).length === 2)

    const { entries } = await race.ranking()
    assert.deepEqual(
      tracks.map(({ id, rank }) => [id, rank]).sort(),
      entries.map(({ track_id, rank }) => [track_id, rank]).sort(),
    )
  })

  test('tells a stream that a frame is there, and that the share has ended', async (t: TestContext) => {
    const { id, phone } = await freshEvent()
    await phone.create({ title: 'Alone' })
    const made = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, {})
    const path = `/shares/${new URL(made.url!).pathname.slice(3)}`
    const stream = await openEvents(`${service.url}${path}/live?frames=true`)
    t.after(() => stream.close())

    const [first] = await stream.until(() => true)
    const [second] = await stream.until(() => true)
    await answer(204, 'DELETE', `/operator/shares/${made.id}`)
    const rest = await stream.until(({ event }) => event === 'ended')

    const { number, key } = first.data as FrameLatest
    assert.equal(first.event, 'frame')
    assert.ok((second.data as FrameLatest).number > number)
    assert.equal(typeof (await bytesOf(path, key, '?whole=true')), 'number')
    assert.deepEqual(rest.at(-1)!.data, { reason: 'revoked' })
    assert.equal(
      rest.some(({ event }) => event === 'track' || event === 'points'),
      false,
    )
  })

  test('sends the frames themselves in a stream that asks for them', async (t: TestContext) => {
    const { id, phone, share, path } = await freshEvent()
    const [shown, hidden] = [await phone.create({ title: 'Shown' }), await phone.create({ title: 'Hidden' })]
    const ofTrack = await share({ track_id: shown })
    const open = async (address: string) => {
      const stream = await openEvents(`${service.url}${address}/live?frames=bytes`, undefined, service.operator.cookie)
      t.after(() => stream.close())
      await stream.until(() => true)
      return { stream, path: address }
    }
    const streams = [await open(path), await open(ofTrack), await open(`/operator/events/${id}`)]

    for (const track of [shown, hidden]) await phone.add(track, makePoints(2, Date.now() - 10_000))
    const seen = await Promise.all(
      streams.map(async ({ stream, path }) => {
        const { reader } = await follow(path, () => true)
        for (;;) {
          const [{ data }] = await stream.until(() => true)
          const { number, bytes } = data as LiveFrame
          const sent = Buffer.from(bytes!, 'base64')
          assert.deepEqual(sent, Buffer.from((await bytesOf(path, number)) as Uint8Array))
          if (number > reader.number()!) assert.ok(reader.take(sent), 'it continues the frames before')
          const positions = [...reader.tracks().values()].filter(({ latitude }) => latitude !== null)
          if (positions.length > 0) return positions.map(({ id }) => id).sort()
        }
      }),
    )

    const both = [shown, hidden].sort()
    assert.deepEqual(seen, [both, [shown], both])
  })

  test('remembers whom a link lets in, and forgets it as soon as that has changed', async () => {
    const { id, phone } = await freshEvent()
    await phone.create({ title: 'Alone' })
    const made = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, {})
    const path = `/shares/${new URL(made.url!).pathname.slice(3)}`
    const { key } = await latest(path)

    await answer(200, 'PATCH', `/operator/events/${id}`, { spectator_delay_sec: 60 })
    const delayed = await latest(path)
    const ofBefore = await bytesOf(path, key, '?whole=true')
    await answer(204, 'DELETE', `/operator/shares/${made.id}`)
    const revoked = await bytesOf(path, delayed.key, '?whole=true')

    assert.deepEqual([delayed.delay_sec, ofBefore, revoked], [60, 404, 410])
  })

  test('refuses numbers that are none, and unknown shares', async () => {
    const { path } = await freshEvent()

    assert.equal((await service.request('GET', `${path}/frames/none`)).status, 400)
    assert.equal((await service.request('GET', `${path}/frames/0`)).status, 400)
    assert.equal((await service.request('GET', '/shares/shr_none/frames/latest')).status, 404)
  })
})
