import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Permission } from '../../src/tracks/model/event-rules.ts'
import { createFinishSilent } from '../../src/tracks/phones/finish-silent.ts'
import { describeTracks } from '../support/describe-service.ts'
import { PHONE_REQUESTS, PHONE_REQUESTS_WITHOUT_POINTS, sendAsPhone } from '../support/phone-requests.ts'
import { readProblem } from '../support/problem.ts'
import type { WireTrack } from '../support/track-requests.ts'

const START_MS = Date.parse('2026-05-03T06:15:00Z')
const MINUTE_MS = 60_000

describeTracks('The addresses of apps', async ({ service, tracks }) => {
  const another = await service.startAnother()
  const { url, token } = service

  const tracksOf = async (device: string) => {
    const path = `/tracks?user_id=${encodeURIComponent(device)}`
    const { tracks: found } = await service.answer<{ tracks: WireTrack[] }>(200, 'GET', path)
    return found.sort((a, b) => (a.start_ts < b.start_ts ? -1 : 1))
  }
  const place = (atMs: number) => ({ lat: '45.9', lon: '6.8', timestamp: String(atMs) })
  const send = async (device: string, minute: number, base = url, fields: Record<string, string> = {}) => {
    const query = new URLSearchParams({ id: device, ...place(START_MS + minute * MINUTE_MS), ...fields })
    const response = await sendAsPhone(base, token, { app: 'osmand', method: 'GET', query: `?${query}` })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as { stored: number; known: number; rejected_count: number }
  }
  const finishSilent = () => service.server.tracks!.deps.phones.finishSilent()

  for (const example of PHONE_REQUESTS) {
    test(`store what the app sends: ${example.name}`, async () => {
      const response = await sendAsPhone(url, token, example)

      const text = await response.text()
      assert.equal(response.status, 200, text)
      if (example.answer !== undefined) assert.equal(text, example.answer)
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      const [track] = await tracksOf(example.device)
      assert.equal(track.start_ts, example.points[0].timestamp)
      assert.deepEqual((await tracks.points(track.id)).points, example.points)
    })
  }

  for (const example of PHONE_REQUESTS_WITHOUT_POINTS) {
    test(`let the app go on without a position: ${example.name}`, async () => {
      const response = await sendAsPhone(url, token, example)

      const text = await response.text()
      assert.equal(response.status, 200, text)
      if (example.answer !== undefined) assert.equal(text, example.answer)
    })
  }

  test('refuse a token that can delete, and accept one that only records', async () => {
    const query = `?${new URLSearchParams({ id: 'powers', ...place(START_MS) })}`
    const statusWith = async (permissions: Permission[], path: string) => {
      const given = await service.createToken({ permissions })
      return (await fetch(`${url}/in/${given}/${path}`)).status
    }

    assert.equal(await statusWith(['record', 'manage'], `osmand${query}`), 403)
    assert.equal(await statusWith(['record', 'manage'], 'gpslogger.properties'), 403)
    assert.deepEqual(await tracksOf('powers'), [])
    assert.equal(await statusWith(['record'], `osmand${query}`), 200)
    assert.equal(await statusWith(['record'], 'gpslogger.properties'), 200)
  })

  test('leave invalid points out, and store the others', async () => {
    const feature = (latitude: number, timestamp: string) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [6.8, latitude] },
      properties: { timestamp, device_id: 'leaves-out' },
    })
    const locations = [feature(91, '2026-05-03T06:15:00Z'), feature(45, 'never'), feature(45, '2026-05-03T06:15:10Z')]

    const response = await sendAsPhone(url, token, {
      app: 'overland',
      method: 'POST',
      body: JSON.stringify({ locations }),
    })

    assert.deepEqual(await response.json(), { result: 'ok' })
    const [track] = await tracksOf('leaves-out')
    assert.equal(track.points_count, 1)
    assert.deepEqual([(await send('leaves-out', 1, url, { lat: '91' })).rejected_count], [1])
  })

  test('tell what the altitudes of a system are above', async () => {
    const traccar = (id: string) => ({
      app: 'traccar' as const,
      method: 'GET' as const,
      query: `?id=${id}&lat=45.9&lon=6.8&timestamp=1777788900`,
    })
    const library = (id: string, altitude: number) => ({
      app: 'traccar' as const,
      method: 'POST' as const,
      body: JSON.stringify({
        device_id: id,
        location: {
          timestamp: '2026-05-03T06:15:00Z',
          coords: { latitude: 45.9, longitude: 6.8, altitude, ellipsoidal_altitude: 1085.5, altitude_accuracy: 3 },
        },
      }),
    })
    const locations = [
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [6.8, 45.9] },
        properties: { timestamp: '2026-05-03T06:15:00Z', device_id: 'over' },
      },
    ]
    const tid = { _type: 'location', lat: 45.9, lon: 6.8, tst: 1777788900 }
    const agent = (name: string) => ({ headers: { 'User-Agent': name } })
    const iphone = agent('App/9.1 CFNetwork/1568.200.51 Darwin/24.1.0')
    const android = agent('Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP2A)')

    await sendAsPhone(url, token, { ...traccar('system-android'), ...android })
    await sendAsPhone(url, token, { ...traccar('system-ios'), ...iphone })
    await sendAsPhone(url, token, traccar('system-unknown'))
    await sendAsPhone(url, token, library('library-android', 1085.5))
    await sendAsPhone(url, token, library('library-ios', 1035.2))
    await sendAsPhone(url, token, { app: 'overland', method: 'POST', body: JSON.stringify({ locations }) })
    await sendAsPhone(url, token, {
      app: 'owntracks',
      method: 'POST',
      body: JSON.stringify({ ...tid, topic: 'owntracks/own/ios' }),
      ...iphone,
    })
    await sendAsPhone(url, token, {
      app: 'owntracks',
      method: 'POST',
      body: JSON.stringify({ ...tid, topic: 'owntracks/own/android' }),
      ...android,
    })

    const referenceOf = async (device: string) =>
      ((await tracksOf(device))[0] as { altitude_reference?: string }).altitude_reference
    const expected = {
      'system-android': 'ellipsoid',
      'system-ios': 'sea_level',
      'system-unknown': undefined,
      'library-android': 'ellipsoid',
      'library-ios': 'sea_level',
      over: 'sea_level',
      'own/ios': 'sea_level',
      'own/android': undefined,
    }
    for (const [device, reference] of Object.entries(expected))
      assert.equal(await referenceOf(device), reference, device)
  })

  test('open a running track with the first point, and continue it with the next', async () => {
    await send('opens', 0)
    await send('opens', 10)
    await send('opens', 40)

    const found = await tracksOf('opens')
    assert.deepEqual(
      found.map(({ state, start_ts, points_count, user_id }) => [state, start_ts, points_count, user_id]),
      [['running', '2026-05-03T06:15:00.000Z', 3, 'opens']],
    )
  })

  test('store points sent again once', async () => {
    await send('again', 0)
    const receipt = await send('again', 0)

    assert.deepEqual([receipt.stored, receipt.known], [0, 1])
    assert.equal((await tracksOf('again')).length, 1)
  })

  test('finish a track after half an hour of silence, by the times of the points, and begin another', async () => {
    await send('silence', 0)
    await send('silence', 5)
    await send('silence', 36)

    const [first, second] = await tracksOf('silence')
    assert.deepEqual([first.state, first.end_ts], ['stopped', '2026-05-03T06:20:00.000Z'])
    assert.deepEqual([second.state, second.start_ts], ['running', '2026-05-03T06:51:00.000Z'])
  })

  test('finish a track from which nothing comes any more, and let it go on when the phone is back', async () => {
    await send('offline', 0)
    await finishSilent()
    const [finished] = await tracksOf('offline')

    await send('offline', 20)

    const [track, ...others] = await tracksOf('offline')
    assert.deepEqual([finished.state, finished.end_ts], ['stopped', '2026-05-03T06:15:00.000Z'])
    assert.deepEqual([track.id, track.state, track.end_ts, track.points_count], [finished.id, 'running', null, 2])
    assert.deepEqual(others, [])
  })

  test('do not finish a track while points come', async () => {
    const nowMinute = (Date.now() - START_MS) / MINUTE_MS
    await send('present', Math.floor(nowMinute) - 40)
    await send('present', Math.floor(nowMinute) - 20)

    await finishSilent()

    assert.deepEqual(
      (await tracksOf('present')).map(({ state }) => state),
      ['running'],
    )
  })

  test('do not finish a track that gets a point while it is being finished', async () => {
    await send('last-moment', 0)
    const [{ id }] = await tracksOf('last-moment')
    const { db, now, tracksIn } = service.server.tracks!.deps
    const finished: string[] = []
    const silent = createFinishSilent({
      db,
      now,
      silenceMs: 30 * MINUTE_MS,
      onFinished: (trackId) => finished.push(trackId),
      tracksIn: (transaction) => ({
        ...tracksIn(transaction),
        async change(scope, trackId, decide) {
          const changes = { last_point_ms: trackId === id ? now() : START_MS }
          await transaction.updateTable('tracks').set(changes).where('id', '=', trackId).execute()
          return await tracksIn(transaction).change(scope, trackId, decide)
        },
      }),
    })

    await silent.pass()

    const recording = db.selectFrom('phone_recordings').select('phase').where('track_id', '=', id)
    assert.ok(!finished.includes(id))
    assert.deepEqual(await recording.execute(), [{ phase: 'open' }])
    assert.deepEqual(
      (await tracksOf('last-moment')).map(({ state }) => state),
      ['running'],
    )
    await send('last-moment', (now() - START_MS) / MINUTE_MS)
    assert.equal((await tracksOf('last-moment')).length, 1)
  })

  test('leave a track finished that someone has finished, and still store its points', async () => {
    await send('by-hand', 0)
    const [{ id }] = await tracksOf('by-hand')
    await tracks.finish(id)
    await finishSilent()

    await send('by-hand', 5)

    const [track, ...others] = await tracksOf('by-hand')
    assert.deepEqual([track.state, track.points_count, others.length], ['stopped', 2, 0])
  })

  test('put late points into the track around them, and move its start to an earlier one', async () => {
    await send('late', 0)
    await send('late', 10)
    await send('late', 100)

    await send('late', 5)
    await send('late', -20)
    await send('late', 80)

    assert.deepEqual(
      (await tracksOf('late')).map(({ start_ts, points_count }) => [start_ts, points_count]),
      [
        ['2026-05-03T05:55:00.000Z', 4],
        ['2026-05-03T07:35:00.000Z', 2],
      ],
    )
  })

  test('divide a batch of a long time among tracks', async () => {
    const locations = [0, 5, 60, 65, 200].map((minute) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [6.8, 45.9] },
      properties: {
        timestamp: new Date(START_MS + minute * MINUTE_MS).toISOString(),
        device_id: 'long',
      },
    }))
    const batch = { app: 'overland', method: 'POST', body: JSON.stringify({ locations }) } as const

    for (const _ of [1, 2]) assert.equal((await sendAsPhone(url, token, batch)).status, 200)

    assert.deepEqual(
      (await tracksOf('long')).map(({ state, points_count }) => [state, points_count]),
      [
        ['stopped', 2],
        ['stopped', 2],
        ['running', 1],
      ],
    )
  })

  test('open one track for parallel first points, on several instances', async () => {
    const bases = [url, another.url]
    await Promise.all(Array.from({ length: 24 }, (_, i) => send('parallel', i % 12, bases[i % 2])))

    const found = await tracksOf('parallel')
    assert.deepEqual(
      found.map(({ points_count, start_ts }) => [points_count, start_ts]),
      [[12, '2026-05-03T06:15:00.000Z']],
    )
  })

  test('begin another track after the first one was deleted', async () => {
    const admin = service.server.tracks!.deps
    await send('deleted', 0)
    const [{ id }] = await tracksOf('deleted')
    await admin.tracks.delete({ eventId: service.eventId, userId: null }, id)

    await send('deleted', 1)
    await send('deleted', 2)

    const found = await tracksOf('deleted')
    assert.deepEqual(
      found.map(({ points_count, start_ts }) => [points_count, start_ts]),
      [[2, '2026-05-03T06:16:00.000Z']],
    )
  })

  test('keep the devices of an event apart', async () => {
    await send('apart-1', 0)
    await send('apart-2', 0)

    assert.deepEqual([(await tracksOf('apart-1')).length, (await tracksOf('apart-2')).length], [1, 1])
  })

  test('give the tracks of a participant token its user_id, and need no id of the device', async () => {
    const ofRunner = await service.createToken({ permissions: ['record'], userId: 'runner-42' })
    const example = PHONE_REQUESTS.find(({ app }) => app === 'overland')!

    for (const minute of [0, 1]) {
      const query = `?${new URLSearchParams(place(START_MS + minute * MINUTE_MS))}`
      assert.equal((await sendAsPhone(url, ofRunner, { app: 'osmand', method: 'GET', query })).status, 200)
    }
    await sendAsPhone(url, ofRunner, example)

    assert.deepEqual(
      (await tracksOf('runner-42')).map(({ points_count }) => points_count),
      [2, 2],
    )
  })

  test('begin another track once someone gave the track to another person', async () => {
    const ofRunner = await service.createToken({ permissions: ['record'], userId: 'runner-43' })
    const sendAt = async (minute: number) => {
      const query = `?${new URLSearchParams(place(START_MS + minute * MINUTE_MS))}`
      assert.equal((await sendAsPhone(url, ofRunner, { app: 'osmand', method: 'GET', query })).status, 200)
    }
    await sendAt(0)
    const [{ id }] = await tracksOf('runner-43')
    const { tracks: store } = service.server.tracks!.deps
    await store.change({ eventId: service.eventId, userId: null }, id, () => ({ user_id: 'runner-44' }))

    await sendAt(1)

    assert.deepEqual([(await tracksOf('runner-43')).length, (await tracksOf('runner-44')).length], [1, 1])
  })

  test('answer 403 to a token that may not record', async () => {
    const reader = await service.createToken({ permissions: ['read'] })
    const query = `?id=1&${new URLSearchParams(place(START_MS))}`

    await readProblem(await sendAsPhone(url, reader, { app: 'osmand', method: 'GET', query }), 403, 'FORBIDDEN')
  })

  test('answer 400 to a phone without an id, because all such phones look alike', async () => {
    const response = await sendAsPhone(url, token, {
      app: 'osmand',
      method: 'GET',
      query: `?${new URLSearchParams(place(START_MS))}`,
    })

    assert.match((await readProblem(response, 400, 'BAD_REQUEST')).detail, /id of the device/)
  })

  test('answer 400 to a body that cannot be read, so that the app keeps its points', async () => {
    for (const [app, body] of [
      ['overland', '{"locations":['],
      ['overland', '{"points":[]}'],
      ['overland', ''],
      ['owntracks', '{"_type":'],
      ['traccar', '{"location":'],
    ] as const) {
      await readProblem(await sendAsPhone(url, token, { app, method: 'POST', body }), 400, 'BAD_REQUEST')
    }
  })

  test('answer 400 to a text, a form or a batch that is larger than any app sends', async () => {
    const fix = (tid: string) => ({ _type: 'location', lat: 45, lon: 6, tst: 1777788900, tid })
    const position = { id: 'bounds', ...place(START_MS) }
    const devices = Array.from({ length: 6 }, (_, device) => fix(`many-${device}`))
    const sent = [
      { app: 'osmand', body: `${new URLSearchParams({ ...position, id: 'x'.repeat(1001) })}`, says: /1000 char/ },
      { app: 'osmand', body: `${new URLSearchParams(position)}${'&a=1'.repeat(100)}`, says: /100 fields/ },
      { app: 'owntracks', body: JSON.stringify(devices), says: /5 devices/ },
    ] as const
    for (const { app, body, says } of sent) {
      const response = await sendAsPhone(url, token, { app, method: 'POST', body })
      assert.match((await readProblem(response, 400, 'BAD_REQUEST')).detail, says)
    }
    assert.deepEqual([await tracksOf('bounds'), await tracksOf('many-0')], [[], []])
  })

  test('answer 413 to a body of many positions where an app sends one, also compressed', async () => {
    const body = `id=large&${'a=1&'.repeat(5000)}`
    for (const app of ['osmand', 'gpslogger', 'traccar'] as const) {
      await readProblem(await sendAsPhone(url, token, { app, method: 'POST', body }), 413, 'PAYLOAD_TOO_LARGE')
    }
    const response = await fetch(`${url}/in/${token}/osmand`, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(body),
    })
    await readProblem(response, 413, 'PAYLOAD_TOO_LARGE')
  })

  test('answer 401 to an unknown token, and 404 to an unknown app', async () => {
    const query = `?id=1&${new URLSearchParams(place(START_MS))}`

    await readProblem(
      await sendAsPhone(url, 'trk_unknown', { app: 'osmand', method: 'GET', query }),
      401,
      'UNAUTHORIZED',
    )
    await readProblem(
      await sendAsPhone(url, 'x'.repeat(500), { app: 'osmand', method: 'GET', query }),
      401,
      'UNAUTHORIZED',
    )
    await readProblem(await fetch(`${url}/in/${token}/strava`), 404, 'NOT_FOUND')
  })

  test('give GPSLogger its settings as a profile', async () => {
    const response = await fetch(`${url}/in/${token}/gpslogger.properties`)

    assert.equal(response.status, 200)
    const settings = new Map(
      (await response.text()).split('\n').map((line) => line.split(/=(.*)/s) as [string, string]),
    )
    assert.equal(settings.get('log_customurl_enabled'), 'true')
    assert.equal(settings.get('log_customurl_url'), `${url}/in/${token}/gpslogger?%ALL`)
    await readProblem(await fetch(`${url}/in/trk_unknown/gpslogger.properties`), 401, 'UNAUTHORIZED')
  })

  test('do not answer HEAD, which stores nothing', async () => {
    const query = `?id=head&${new URLSearchParams(place(START_MS))}`

    const response = await fetch(`${url}/in/${token}/osmand${query}`, { method: 'HEAD' })

    assert.equal(response.status, 405)
    assert.deepEqual(await tracksOf('head'), [])
  })
})
