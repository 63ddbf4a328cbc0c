import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { type SendRequest, trackRequests } from '../support/track-requests.ts'

const START_MS = Date.UTC(2026, 4, 3, 6)

describeTracks('Tokens of participants', { signedIn: true }, async ({ service }) => {
  const everyone = trackRequests(service.request)

  /** Returns requests with a new token of one person. */
  async function requestsOf(userId: string, from: { request: SendRequest } = service) {
    const token = await service.createToken({ permissions: ['record', 'read'], userId })
    const send: SendRequest = (method, path, json, headers) =>
      from.request(method, path, json, { 'X-API-Key': token, ...headers })
    return { token, send, ...trackRequests(send) }
  }

  test('a track that is created or synced with it gets its user_id', async () => {
    const anna = await requestsOf('anna')

    const ids = [
      await anna.create(),
      await anna.create({ user_id: null }),
      await anna.create({ user_id: 'anna' }),
      await anna.sync({ points: makePoints(2) }),
      await anna.sync({ track: { user_id: 'anna' } }),
    ]

    for (const id of ids) assert.equal((await everyone.read(id)).user_id, 'anna')
  })

  test('another user_id in the body is 400 that names the field', async () => {
    const anna = await requestsOf('anna')
    const created = { device_track_id: 'of-bob', user_id: 'bob' }

    const create = await readProblem(await anna.send('POST', '/tracks', created), 400, 'BAD_REQUEST')
    const sync = await readProblem(
      await anna.send('POST', '/sync', { track: created, points: [{}] }),
      400,
      'BAD_REQUEST',
    )

    const message = 'must be the user_id of the token, or absent'
    assert.deepEqual(create.errors, [{ path: 'user_id', message }])
    assert.deepEqual(sync.errors?.[0], { path: 'track/user_id', message })
    assert.ok(sync.errors!.length > 1)
    assert.ok(await everyone.create({ device_track_id: 'of-bob' }))
  })

  test('it works on all tracks of its person, whichever token made them, and on no others', async () => {
    const anna = await requestsOf('anna')
    const bob = await requestsOf('bob')
    const own = await everyone.create({ user_id: 'anna' })
    const others = [
      await bob.sync({ points: makePoints(3) }),
      await everyone.sync(),
      await everyone.sync({ track: { user_id: 'ann' } }),
    ]

    await anna.add(own, makePoints(2, START_MS))
    await anna.add(own, makePoints(2, START_MS))
    await anna.update(own, { title: 'Mine' })
    assert.equal((await anna.finish(own)).points_count, 2)
    assert.equal((await anna.points(own)).count, 2)
    for (const id of others) {
      const calls: [method: string, path: string, body?: unknown][] = [
        ['GET', ''],
        ['GET', '/points'],
        ['GET', '/export'],
        ['POST', '/points', { points: makePoints(1) }],
        ['POST', '/points', { points: makePoints(1, START_MS - 3_600_000) }],
        ['POST', '/points', { points: [] }],
        ['PATCH', '', { title: 'Taken over' }],
        ['POST', '/finish'],
      ]
      for (const [method, path, body] of calls) {
        await readProblem(await anna.send(method, `/tracks/${id}${path}`, body), 404, 'NOT_FOUND')
      }
      await readProblem(await anna.send('DELETE', `/tracks/${id}`), 403, 'FORBIDDEN')
    }
    assert.equal((await bob.read(others[0])).points_count, 3)
  })

  test('its list has the tracks of its person only, whatever the filters', async () => {
    const carla = await requestsOf('carla')
    const own = [await carla.create(), await everyone.create({ user_id: 'carla' })]
    await everyone.create({ user_id: 'dora', device_track_id: 'of-dora' })
    const listed = async (query: string) => {
      const response = await carla.send('GET', `/tracks${query}`)
      return ((await response.json()) as { tracks: { id: string }[] }).tracks.map(({ id }) => id)
    }

    assert.deepEqual((await listed('')).sort(), [...own].sort())
    assert.deepEqual((await listed('?user_id=carla')).sort(), [...own].sort())
    assert.deepEqual(await listed('?user_id=dora'), [])
    assert.deepEqual(await listed('?device_track_id=of-dora'), [])
  })

  test('a device_track_id of someone else is 409 without the track_id, an own one with it', async () => {
    const anna = await requestsOf('anna')
    await everyone.create({ user_id: 'bob', device_track_id: 'watch-of-bob' })
    const own = await anna.create({ device_track_id: 'watch-of-anna' })

    const foreign = await anna.send('POST', '/tracks', { device_track_id: 'watch-of-bob' })
    const again = await anna.send('POST', '/tracks', { device_track_id: 'watch-of-anna' })
    const synced = await anna.send('POST', '/sync', { track: { device_track_id: 'watch-of-bob' }, points: [] })

    const problem = await readProblem(foreign, 409, 'CONFLICT')
    assert.ok(!('track_id' in problem))
    assert.ok(!problem.detail.includes('track_id names'))
    assert.equal((await readProblem(again, 409, 'CONFLICT')).track_id, own)
    assert.ok(!('track_id' in (await readProblem(synced, 409, 'CONFLICT'))))
  })

  test('an Idempotency-Key is its own: the same key and body of someone else creates a further track', async () => {
    const [anna, bob] = [await requestsOf('anna'), await requestsOf('bob')]
    const headers = { 'Idempotency-Key': randomUUID() }
    const sent = { device_track_id: randomUUID() }
    const first = await anna.send('POST', '/tracks', sent, headers)

    const repeated = await anna.send('POST', '/tracks', sent, headers)
    const foreign = await bob.send('POST', '/tracks', sent, headers)
    const other = await bob.send('POST', '/tracks', { device_track_id: randomUUID() }, headers)

    assert.equal(repeated.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(await repeated.json(), await first.json())
    await readProblem(foreign, 409, 'CONFLICT')
    assert.deepEqual([other.status, other.headers.get('idempotency-replayed')], [201, null])
  })

  test('a track that an operator gives to someone else is theirs from then on, on every instance', async () => {
    const second = await service.startAnother()
    const anna = await requestsOf('anna')
    const there = await requestsOf('anna', second)
    const id = await anna.create()
    await anna.add(id, makePoints(2, START_MS))
    await there.add(id, makePoints(2, START_MS + 60_000))
    await anna.add(id, makePoints(2, START_MS + 120_000))

    await service.answer(200, 'PATCH', `/operator/tracks/${id}`, { user_id: 'bob' })

    for (const { send } of [anna, there]) {
      for (const startMs of [START_MS + 600_000, START_MS, START_MS - 600_000]) {
        const sent = await send('POST', `/tracks/${id}/points`, { points: makePoints(1, startMs) })
        await readProblem(sent, 404, 'NOT_FOUND')
      }
    }
    assert.equal((await everyone.read(id)).points_count, 6)
    await (await requestsOf('bob')).add(id, makePoints(1, START_MS + 600_000))
  })

  test('a token that is revoked or has ended is 401 on every instance', async () => {
    const second = await service.startAnother()
    const anna = await requestsOf('anna')
    const there = (path: string) => second.request('GET', path, undefined, { 'X-API-Key': anna.token })
    assert.equal((await there('/tracks')).status, 200)
    const { tokens } = await service.answer<{ tokens: { id: string; user_id: string | null; masked: string }[] }>(
      200,
      'GET',
      `/operator/events/${service.eventId}/tokens`,
    )
    const { id } = tokens.find(({ masked }) => masked.endsWith(anna.token.slice(-4)))!

    await service.answer(204, 'DELETE', `/operator/events/${service.eventId}/tokens/${id}`)

    await readProblem(await there('/tracks'), 401, 'UNAUTHORIZED')
    await readProblem(await anna.send('GET', '/tracks'), 401, 'UNAUTHORIZED')
    const ended = await service.createToken({ expiresAtMs: Date.now() - 1 })
    await readProblem(await service.request('GET', '/tracks', undefined, { 'X-API-Key': ended }), 401, 'UNAUTHORIZED')
  })
})
