import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { wrongPlaces } from '../support/problem.ts'

/** Doubles that need all their digits or are at a limit of doubles. */
const NUMBERS = [
  '0.1',
  '0.30000000000000004',
  '48.856613999999997',
  '2.2250738585072014e-308',
  '5e-324',
  '-5e-324',
  '1.7976931348623157e308',
  '123456789012345680000',
  '9007199254740993',
  '1e21',
  '-0',
  '0',
  '1e-7',
]

describeTracks('GET /tracks/:id/points', async ({ service, tracks, once }) => {
  test('answers 200 with the track_id, the count and the points', async () => {
    const full = { altitude: 35.5, accuracy: 4, speed_mps: 1.1, heading: 359.5, battery: 0.5 }
    const [bare, ...others] = makePoints(3)
    const points = [bare, ...others.map((point) => ({ ...point, ...full }))]
    const id = await tracks.create()
    await tracks.add(id, points)

    const response = await service.request('GET', `/tracks/${id}/points`)

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(await response.json(), { track_id: id, count: 3, points })
  })

  test('answers an empty list for a track without points', async () => {
    const id = await tracks.create()

    assert.deepEqual(await tracks.points(id), { track_id: id, count: 0, points: [] })
  })

  test('sorts by timestamp, in whatever order points arrived', async () => {
    const points = makePoints(30)
    const id = await tracks.create()

    for (const from of [20, 0, 10]) await tracks.add(id, points.slice(from, from + 10).reverse())

    assert.deepEqual((await tracks.points(id)).points, points)
  })

  test('returns every number exactly, -0 included', async () => {
    const [{ timestamp }] = makePoints(1)
    const id = await tracks.create()
    const body = NUMBERS.map(
      (number, i) =>
        `{"latitude":48.856614,"longitude":-0.0,"timestamp":"${timestamp.slice(0, -4)}${100 + i}Z","altitude":${number},"accuracy":${number},"speed_mps":${number}}`,
    )

    const sent = await fetch(`${service.url}/tracks/${id}/points`, {
      method: 'POST',
      headers: { 'X-API-Key': service.token, 'Content-Type': 'application/json' },
      body: `{"points":[${body}]}`,
    })

    assert.equal(sent.status, 204)
    const { points } = JSON.parse(await (await service.request('GET', `/tracks/${id}/points`)).text())
    assert.equal(points.length, NUMBERS.length)
    for (const [i, point] of points.entries()) {
      for (const field of ['altitude', 'accuracy', 'speed_mps']) assert.ok(Object.is(point[field], Number(NUMBERS[i])))
      assert.ok(Object.is(point.longitude, -0))
      assert.equal(point.latitude, 48.856614)
    }
  })

  test('distinguishes 0 from -0', async () => {
    const [point] = makePoints(1)
    const id = await tracks.create()
    const bytes = (altitude: string) => JSON.stringify({ points: [point] }).replace('}]', `,"altitude":${altitude}}]`)

    for (const altitude of ['0', '-0', '0.0', '-0.0']) {
      await fetch(`${service.url}/tracks/${id}/points`, {
        method: 'POST',
        headers: { 'X-API-Key': service.token, 'Content-Type': 'application/json' },
        body: bytes(altitude),
      })
    }

    const { points } = await tracks.points(id)
    assert.deepEqual(points.map(({ altitude }) => Object.is(altitude, -0)).sort(), [false, true])
  })

  test('returns a range by limit and offset, with its count', async () => {
    const points = makePoints(25)
    const id = await tracks.sync({ points })
    const parts: [query: string, from: number, to: number][] = [
      ['?limit=10', 0, 10],
      ['?limit=10&offset=20', 20, 25],
      ['?offset=5', 5, 25],
      ['?offset=0', 0, 25],
      ['?limit=1&offset=24', 24, 25],
      ['?limit=50000', 0, 25],
      ['?offset=25', 25, 25],
      ['?offset=9007199254740991', 25, 25],
    ]

    for (const [query, from, to] of parts) {
      const part = await tracks.points(id, query)

      assert.deepEqual(part, { track_id: id, count: to - from, points: points.slice(from, to) }, query)
    }
  })

  test('answers 400 for a limit or offset out of bounds or not an integer', async () => {
    const id = await tracks.sync({ points: makePoints(3) })
    const wrong = ['0', '-1', '50001', '1.5', 'ten', '', '1e3', '0x10', '%201', 'Infinity', '1&limit=2']

    for (const value of wrong) {
      const response = await service.request('GET', `/tracks/${id}/points?limit=${value}`)
      assert.deepEqual(await wrongPlaces(response), ['limit'], value)
    }
    for (const value of ['-1', '0.5', 'x', '', '9007199254740992', '1&offset=2']) {
      const response = await service.request('GET', `/tracks/${id}/points?offset=${value}`)
      assert.deepEqual(await wrongPlaces(response), ['offset'], value)
    }
    const both = await service.request('GET', `/tracks/${id}/points?limit=0&offset=-1`)
    assert.deepEqual(await wrongPlaces(both), ['limit', 'offset'])
  })

  test('ignores unknown query parameters', async () => {
    const id = await tracks.sync({ points: makePoints(3) })

    assert.equal((await tracks.points(id, '?page=2&LIMIT=1&__proto__=x')).count, 3)
  })

  once('returns all points without a limit, also more than 50,000', async () => {
    const points = makePoints(60_000)
    const id = await tracks.sync({ points: points.slice(0, 50_000) })
    await tracks.add(id, points.slice(50_000))

    const all = await tracks.points(id)

    assert.equal(all.count, 60_000)
    assert.deepEqual(all.points, points)
    assert.deepEqual((await tracks.points(id, '?offset=50000&limit=2')).points, points.slice(50_000, 50_002))
  })

  test('answers HEAD like GET, without the body', async () => {
    const id = await tracks.sync({ points: makePoints(3) })

    const response = await service.request('HEAD', `/tracks/${id}/points`)

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(await response.text(), '')
  })
})
