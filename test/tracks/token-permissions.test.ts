import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OpenAPIV3_1 } from 'openapi-types'
import { PERMISSIONS, type Permission } from '../../src/tracks/model/event-rules.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'

type Call = [permission: Permission, method: string, path: string, body?: unknown]

/** One request to each endpoint, with the permission that it needs. `:id` is that of a track. */
const CALLS: Call[] = [
  ['record', 'POST', '/tracks', { device_track_id: 'any' }],
  ['record', 'POST', '/tracks/:id/points', { points: makePoints(1) }],
  ['record', 'PATCH', '/tracks/:id', { title: 'Renamed' }],
  ['record', 'POST', '/tracks/:id/finish'],
  ['record', 'POST', '/sync', { track: { device_track_id: 'any' }, points: [] }],
  ['read', 'GET', '/tracks/:id'],
  ['read', 'HEAD', '/tracks/:id'],
  ['read', 'GET', '/tracks/:id/points'],
  ['read', 'GET', '/tracks/:id/export'],
  ['read', 'GET', '/tracks'],
  ['manage', 'DELETE', '/tracks/:id'],
]

describeTracks('Permissions of app tokens', { on: oneDatabase, signedIn: true }, async ({ service, tracks }) => {
  const send = (token: string, method: string, path: string, body?: unknown) =>
    service.request(method, path, body, { 'X-API-Key': token })

  test('each endpoint needs one permission, and a token with all others gets 403 that names it', async () => {
    const id = await tracks.create()
    for (const [permission, method, path, body] of CALLS) {
      const others = PERMISSIONS.filter((one) => one !== permission)
      const token = await service.createToken({ permissions: others })

      const response = await send(token, method, path.replace(':id', id), body)

      assert.equal(response.status, 403, `${method} ${path}`)
      if (method === 'HEAD') continue
      const problem = await readProblem(response, 403, 'FORBIDDEN')
      assert.equal(problem.detail, `The token does not have the permission ${permission}.`)
    }
    const { title, state, points_count } = await tracks.read(id)
    assert.notEqual(title, 'Renamed')
    assert.deepEqual([state, points_count], ['running', 0])
  })

  test('a token with only the needed permission works', async () => {
    const id = await tracks.create()
    for (const [permission, method, path, body] of CALLS) {
      const token = await service.createToken({ permissions: [permission] })
      const made = typeof body === 'object' && JSON.parse(JSON.stringify(body).replace('"any"', `"${randomUUID()}"`))

      const response = await send(token, method, path.replace(':id', id), made === false ? undefined : made)

      assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`)
    }
  })

  test('403 comes before 404, 413, 415 and 400', async () => {
    const token = await service.createToken({ permissions: ['read'] })
    const headers = { 'X-API-Key': token }

    for (const id of [randomUUID(), 'not-an-id']) {
      await readProblem(await send(token, 'DELETE', `/tracks/${id}`), 403, 'FORBIDDEN')
      await readProblem(await send(token, 'PATCH', `/tracks/${id}`, { title: 7 }), 403, 'FORBIDDEN')
      await readProblem(await send(token, 'POST', `/tracks/${id}/points`, { points: 'none' }), 403, 'FORBIDDEN')
    }
    const plain = { ...headers, 'Content-Type': 'text/plain' }
    const unsupported = await fetch(`${service.url}/tracks`, { method: 'POST', headers: plain, body: 'x' })
    await readProblem(unsupported, 403, 'FORBIDDEN')
    await readProblem(await send(token, 'PUT', '/tracks'), 405, 'METHOD_NOT_ALLOWED')
  })

  test('a first token records and reads, and does not delete', async () => {
    const id = await tracks.sync({ points: makePoints(2) })
    const rotated = await service.server.tracks!.deps.eventTokens.rotate(service.eventId, 60_000)

    for (const token of [service.token, rotated.text]) {
      assert.equal((await send(token, 'GET', `/tracks/${id}`)).status, 200)
      const problem = await readProblem(await send(token, 'DELETE', `/tracks/${id}`), 403, 'FORBIDDEN')
      assert.match(problem.detail, /manage/)
    }
    assert.equal((await tracks.points(id)).count, 2)
  })

  test('the results of an event need read, of the whole event', async () => {
    const results = `/events/${service.eventId}/results`
    const recording = await service.createToken({ permissions: ['record', 'manage'] })
    const reading = await service.createToken({ permissions: ['read'] })
    const participant = await service.createToken({ permissions: ['record', 'read'], userId: 'anna' })

    const problem = await readProblem(await send(recording, 'GET', results), 403, 'FORBIDDEN')
    assert.match(problem.detail, /read/)
    await readProblem(await send(recording, 'GET', `/events/${randomUUID()}/results`), 403, 'FORBIDDEN')
    await readProblem(await send(participant, 'GET', results), 403, 'FORBIDDEN')
    assert.equal((await send(reading, 'GET', results)).status, 200)
  })

  test('the API description names the permission of each operation', async () => {
    const document = (await (await fetch(`${service.url}/tracks.openapi.json`)).json()) as OpenAPIV3_1.Document

    for (const [permission, method, path] of CALLS) {
      if (method === 'HEAD') continue
      const item = document.paths![path.replace(':id', '{id}')] as Record<string, OpenAPIV3_1.OperationObject>
      const { security, responses } = item[method.toLowerCase()]
      const { $ref = '' } = responses!['403'] as { $ref?: string }
      const { description } = document.components!.responses![$ref.split('/').at(-1)!] as { description: string }
      assert.deepEqual(security, [{ ApiKey: [permission] }, { Bearer: [permission] }], path)
      assert.match(description, new RegExp(`permission ${permission}\\.`))
    }
  })
})
