import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const TOO_LARGE = String(64 * 1_048_576 + 1)

describeTracks('Precedence of errors', { on: oneDatabase }, async ({ service, tracks }) => {
  /** Sends a request with all errors except those named, and returns the status. */
  async function send(method: string, path: string, headers: Record<string, string>, body?: string) {
    return (await sendBytes(service.url + path, { method, headers, body })).status
  }

  test('answers 404 for an unknown route before all other errors', async () => {
    for (const path of [
      '/elsewhere',
      '/nothing',
      '/track',
      `/tracks/${UNKNOWN}/`,
      `/tracks/${UNKNOWN}/nothing`,
      '/Tracks',
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(service.url + path, { method })

        await readProblem(response, 404, 'NOT_FOUND')
      }
    }
  })

  test('answers 405 with Allow for a wrong method before checking the token', async () => {
    const routes = [
      ['PUT', '/tracks', 'GET, HEAD, POST'],
      ['DELETE', '/tracks', 'GET, HEAD, POST'],
      ['POST', `/tracks/${UNKNOWN}`, 'DELETE, GET, HEAD, PATCH'],
      ['PATCH', `/tracks/${UNKNOWN}/points`, 'GET, HEAD, POST'],
      ['GET', `/tracks/${UNKNOWN}/finish`, 'POST'],
      ['GET', '/sync', 'POST'],
    ]

    for (const [method, path, allow] of routes) {
      const response = await fetch(service.url + path, { method })

      await readProblem(response, 405, 'METHOD_NOT_ALLOWED')
      assert.equal(response.headers.get('allow'), allow)
    }
  })

  test('answers both before any error of the body', async () => {
    const json = { 'Content-Type': 'application/json' }
    const bodies: [headers: Record<string, string>, body: string][] = [
      [json, 'not JSON'],
      [json, ''],
      [json, '{"__proto__":1}'],
      [{}, 'not JSON'],
      [{ 'Content-Type': 'text/plain' }, 'x'.repeat(2_000_000)],
      [json, 'x'.repeat(2_000_000)],
    ]

    for (const [headers, body] of bodies) {
      assert.equal(await send('POST', '/nothing', headers, body), 404)
      assert.equal(await send('PUT', '/tracks', headers, body), 405)
    }
  })

  test('treats rare methods like any other', async () => {
    for (const method of ['QUERY', 'PROPFIND', 'TRACE']) {
      assert.equal(await send(method, '/tracks', {}), 405)
      assert.equal(await send(method, '/nothing', {}), 404)
    }
  })

  test('answers 401 before 415, 413, 400 and 404', async () => {
    const path = `/tracks/${UNKNOWN}/points`

    assert.equal(await send('POST', path, { 'Content-Type': 'text/plain' }, 'x'), 401)
    assert.equal(await send('POST', path, { 'Content-Type': 'application/json', 'Content-Length': TOO_LARGE }), 401)
    assert.equal(await send('GET', `${path}?limit=0`, {}), 401)
  })

  test('answers 415 before 413, 413 before 400, and 400 before 404', async () => {
    const path = `/tracks/${UNKNOWN}/points`
    const token = { 'X-API-Key': service.token }
    const json = { ...token, 'Content-Type': 'application/json' }

    assert.equal(await send('POST', path, { ...token, 'Content-Type': 'text/plain', 'Content-Length': TOO_LARGE }), 415)
    assert.equal(await send('POST', path, { ...json, 'Content-Length': TOO_LARGE }, 'not JSON'), 413)
    assert.equal(await send('POST', path, json, 'not JSON'), 400)
    assert.equal(await send('POST', path, json, '{"points":[{}]}'), 400)
    assert.equal(await send('PATCH', `/tracks/${UNKNOWN}`, json, '{"state":"x"}'), 400)
    assert.equal(await send('GET', `${path}?limit=0`, token), 400)
    assert.equal(await send('POST', path, json, JSON.stringify({ points: makePoints(1) })), 404)
  })

  test('answers 400 before 409', async () => {
    await tracks.create({ device_track_id: 'in use' })
    const json = { 'X-API-Key': service.token, 'Content-Type': 'application/json' }

    assert.equal(await send('POST', '/tracks', json, '{"device_track_id":"in use","title":1}'), 400)
    assert.equal(await send('POST', '/sync', json, '{"track":{"device_track_id":"in use"},"points":[0]}'), 400)
    assert.equal(await send('POST', '/tracks', json, '{"device_track_id":"in use"}'), 409)
  })

  test('answers HEAD wherever it answers GET', async () => {
    const id = await tracks.create()

    for (const path of ['/tracks', `/tracks/${id}`, `/tracks/${id}/points`, '/healthz']) {
      assert.equal(await send('HEAD', path, { 'X-API-Key': service.token }), 200)
    }
    assert.equal(await send('HEAD', `/tracks/${UNKNOWN}`, { 'X-API-Key': service.token }), 404)
    assert.equal(await send('HEAD', '/tracks', {}), 401)
    assert.equal(await send('HEAD', '/sync', {}), 405)
  })
})
