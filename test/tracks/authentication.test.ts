import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'

const ID = '00000000-0000-4000-8000-000000000000'

const ENDPOINTS = [
  ['POST', '/tracks'],
  ['GET', '/tracks'],
  ['POST', '/sync'],
  ['GET', `/tracks/${ID}`],
  ['PATCH', `/tracks/${ID}`],
  ['DELETE', `/tracks/${ID}`],
  ['POST', `/tracks/${ID}/points`],
  ['GET', `/tracks/${ID}/points`],
  ['GET', `/tracks/${ID}/export`],
  ['POST', `/tracks/${ID}/finish`],
] as const

describeTracks('App tokens', { on: oneDatabase }, async ({ service, tracks }) => {
  const wrong = `${service.token.slice(0, -1)}${service.token.endsWith('A') ? 'B' : 'A'}`

  const status = async (headers: Record<string, string>) => (await fetch(`${service.url}/tracks`, { headers })).status

  test('are accepted in both headers, in any case of their names', async () => {
    assert.equal(await status({ 'X-API-Key': service.token }), 200)
    assert.equal(await status({ 'x-api-key': service.token }), 200)
    assert.equal(await status({ Authorization: `Bearer ${service.token}` }), 200)
    assert.equal(await status({ authorization: `bearer ${service.token}` }), 200)
  })

  test('count in X-API-Key if both headers are sent', async () => {
    assert.equal(await status({ 'X-API-Key': service.token, Authorization: 'Bearer wrong' }), 200)
    assert.equal(await status({ 'X-API-Key': wrong, Authorization: `Bearer ${service.token}` }), 401)
    assert.equal(await status({ 'X-API-Key': '', Authorization: `Bearer ${service.token}` }), 401)
  })

  test('answer 401 with WWW-Authenticate if missing or invalid', async () => {
    const wrongOnes = [
      {},
      { 'X-API-Key': wrong },
      { 'X-API-Key': `${service.token}x` },
      { 'X-API-Key': service.token.toLowerCase() },
      { 'X-API-Key': `Bearer ${service.token}` },
      { 'X-API-Key': 'x'.repeat(8000) },
      { 'X-API-Key': "' or 1=1 --" },
      { Authorization: service.token },
      { Authorization: 'Bearer' },
      { Authorization: `Basic ${Buffer.from(`x:${service.token}`).toString('base64')}` },
      { Authorization: `Bearer ${wrong}` },
    ]

    for (const headers of wrongOnes) {
      const response = await fetch(`${service.url}/tracks`, { headers: headers as Record<string, string> })

      await readProblem(response, 401, 'UNAUTHORIZED')
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer /)
    }
  })

  test('are required by every endpoint', async () => {
    for (const [method, path] of ENDPOINTS) {
      const response = await fetch(service.url + path, { method, headers: { 'X-API-Key': wrong } })

      await readProblem(response, 401, 'UNAUTHORIZED')
    }
  })

  test('are not accepted in the query or a cookie', async () => {
    const query = await fetch(`${service.url}/tracks?api_key=${service.token}&token=${service.token}`)
    const cookie = await fetch(`${service.url}/tracks`, { headers: { Cookie: `X-API-Key=${service.token}` } })

    assert.deepEqual([query.status, cookie.status], [401, 401])
  })

  test("give access to their own event only: another event's track answers 404 everywhere", async () => {
    const id = await tracks.sync({ points: makePoints(3) })
    const other = await service.createEvent('Other')
    const asOther = { 'X-API-Key': await service.createToken({ eventId: other.id }) }
    const requests: [method: string, path: string, body?: unknown][] = [
      ['GET', ''],
      ['PATCH', '', { title: 'Stolen' }],
      ['PATCH', '', {}],
      ['PATCH', '', { end_ts: '1970-01-01T00:00:00Z' }],
      ['DELETE', ''],
      ['POST', '/points', { points: makePoints(4) }],
      ['POST', '/points', { points: [] }],
      ['GET', '/points'],
      ['POST', '/finish'],
    ]

    const before = await tracks.read(id)
    for (const [method, path, body] of requests) {
      for (const track of [id, ID]) {
        const answer = await service.request(method, `/tracks/${track}${path}`, body, asOther)
        assert.equal((await readProblem(answer, 404, 'NOT_FOUND')).detail, 'Track not found.')
      }
    }

    assert.deepEqual(await tracks.read(id), before)
    const list = await (await service.request('GET', '/tracks', undefined, asOther)).json()
    assert.deepEqual(list, { tracks: [], next_cursor: null })
  })
})
