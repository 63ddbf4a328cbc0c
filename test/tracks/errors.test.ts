import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeOn, describeTracks } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { sendText } from '../support/send-bytes.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

describeTracks('Errors', { on: oneDatabase }, async ({ service, tracks }) => {
  test('are problem details with exactly the documented members', async () => {
    const notFound = await service.request('GET', '/tracks/unknown')
    const invalid = await service.request('POST', '/tracks', {})

    const { request_id, ...problem } = await readProblem(notFound, 404, 'NOT_FOUND')
    assert.deepEqual(problem, {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'NOT_FOUND',
      detail: 'Track not found.',
    })
    const { errors } = await readProblem(invalid, 400, 'BAD_REQUEST')
    assert.deepEqual(errors, [{ path: 'device_track_id', message: 'is required' }])
  })

  test('must not be cached', async () => {
    const response = await service.request('GET', '/tracks/unknown')

    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  test('name the first 20 of ten thousand in the order of the body, and count the rest', async () => {
    const id = await tracks.create()
    const points = Array.from({ length: 10_000 }, () => ({
      latitude: 91,
      longitude: 0,
      timestamp: '2026-01-01T00:00:00Z',
    }))

    const response = await service.request('POST', `/tracks/${id}/points`, { points })

    const problem = await readProblem(response, 400, 'BAD_REQUEST')
    assert.deepEqual(
      problem.errors,
      Array.from({ length: 20 }, (_, i) => ({ path: `points/${i}/latitude`, message: 'must be <= 90' })),
    )
    assert.match(problem.detail, /9,?999 more/)
  })

  test('count all errors of a sync together', async () => {
    const points = Array.from({ length: 50_000 }, () => ({}))

    const response = await service.request('POST', '/sync', { track: {}, points })

    const problem = await readProblem(response, 400, 'BAD_REQUEST')
    assert.equal(problem.errors!.length, 20)
    assert.equal(problem.errors![0].path, 'track/device_track_id')
    assert.match(problem.detail, /150,?000 more/)
  })

  test('contain no value of the request', async () => {
    const response = await service.request('POST', '/tracks', { device_track_id: 'd', title: 5, start_ts: 'SECRET' })

    assert.equal(JSON.stringify(await response.json()).includes('SECRET'), false)
  })

  test('have the same form for a request without a Host, which HTTP/1.0 does not need', async () => {
    const lacking = await sendText(service.url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    const old = await sendText(service.url, 'GET /healthz HTTP/1.0\r\n\r\n')

    assert.match(lacking, /^HTTP\/1\.1 400 .*application\/problem\+json.*"code":"BAD_REQUEST"/s)
    assert.match(old, /^HTTP\/1\.1 200 /)
  })

  test('do not occur for an unknown expectation', async () => {
    const answer = await sendText(
      service.url,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    )

    assert.match(answer, /^HTTP\/1\.1 200 /)
  })

  test('have the same form for a request that is not HTTP', async () => {
    const answers = [
      await sendText(service.url, 'nonsense\r\n\r\n'),
      await sendText(service.url, `GET /tracks HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`),
    ]

    assert.match(answers[0], /^HTTP\/1\.1 400 /)
    assert.match(answers[1], /^HTTP\/1\.1 431 /)
    for (const answer of answers) {
      assert.match(answer, /\r\nX-Request-Id: [\w-]{36}\r\n/)
      assert.match(answer, /\r\nTrackpress-Api: 1\r\n/)
      const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
      assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'code', 'detail', 'request_id'])
    }
  })
})

describeOn(oneDatabase, 'X-Request-Id and Trackpress-Api', async (database) => {
  const service = await startService({ after }, database, { services: ['tracks'] })

  test('are on every answer, the id each time different', async () => {
    const id = await trackRequests(service.request).create()
    const answers = [
      await service.request('GET', '/tracks'),
      await service.request('POST', `/tracks/${id}/points`, { points: [] }),
      await service.request('GET', '/nothing'),
      await service.request('PUT', '/tracks'),
      await service.request('GET', '/tracks', undefined, { 'X-API-Key': 'wrong' }),
      await service.request('OPTIONS', '/tracks'),
      await service.request('GET', '/healthz'),
      await service.request('GET', '/tracks/%'),
      await service.request('POST', `/tracks/${id}/points`, { points: [{}] }),
      await service.request('POST', `/tracks/${id}/finish`),
    ]

    for (const { headers, url } of answers) assert.equal(headers.get('trackpress-api'), '1', url)
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const requestId of ids) assert.match(requestId ?? '', /^[\w-]{8,}$/)
    assert.equal(new Set(ids).size, answers.length)
  })

  test('has the id that was sent, unless that is not a plain word', async () => {
    const sent = await service.request('GET', '/tracks/x', undefined, { 'X-Request-Id': 'phone-1:2026.05' })
    const strange = await service.request('GET', '/tracks/x', undefined, { 'X-Request-Id': '<script>"' })

    assert.equal((await readProblem(sent, 404, 'NOT_FOUND')).request_id, 'phone-1:2026.05')
    assert.match((await readProblem(strange, 404, 'NOT_FOUND')).request_id, /^[0-9a-f-]{36}$/)
  })
})
