import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'

describeTracks('Track ids', { on: oneDatabase }, async ({ service, tracks }) => {
  const points = makePoints(1)

  const requests = (id: string): [method: string, path: string, body?: unknown][] => [
    ['GET', `/tracks/${id}`],
    ['GET', `/tracks/${id}/points`],
    ['PATCH', `/tracks/${id}`, { title: 'x' }],
    ['PATCH', `/tracks/${id}`, {}],
    ['POST', `/tracks/${id}/points`, { points }],
    ['POST', `/tracks/${id}/points`, { points: [] }],
    ['POST', `/tracks/${id}/finish`],
    ['DELETE', `/tracks/${id}`],
  ]

  test('that are not UUIDs are unknown', async () => {
    const ids = [
      '1',
      'x',
      '0',
      '-1',
      'null',
      '%00',
      'a%00b',
      '%F0%9F%9A%B4',
      '..%2f..',
      "'%3B--",
      'x'.repeat(90),
      'x'.repeat(500),
    ]

    for (const id of ids) {
      for (const [method, path, body] of requests(id)) {
        await readProblem(await service.asManager(method, path, body), 404, 'NOT_FOUND')
      }
    }
  })

  test('in upper case, in braces, without hyphens or with additions are unknown', async () => {
    const id = await tracks.create()
    const others = [id.toUpperCase(), `%7B${id}%7D`, id.replaceAll('-', ''), `${id}%20`, `%20${id}`, `urn:uuid:${id}`]

    for (const other of others) {
      if (other === id) continue
      for (const [method, path, body] of requests(other)) {
        await readProblem(await service.asManager(method, path, body), 404, 'NOT_FOUND')
      }
    }
    assert.equal((await tracks.read(id)).points_count, 0)
  })

  test('that are unusable do not fail points sent at the same time', async () => {
    const id = await tracks.create()

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        service.request('POST', `/tracks/${i % 2 === 0 ? id : 'a%00b'}/points`, { points: makePoints(i + 1) }),
      ),
    )

    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, i) => (i % 2 === 0 ? 204 : 404)),
    )
  })

  test('in an address that is not valid UTF-8 answer 404', async () => {
    for (const path of ['/tracks/%ED%A0%80', '/tracks/%', '/tracks/%zz/points']) {
      const answer = await sendBytes(service.url + path, { headers: { 'X-API-Key': service.token } })

      assert.equal(answer.status, 404)
      assert.equal(JSON.parse(answer.body.toString()).code, 'NOT_FOUND')
      assert.equal(JSON.parse(answer.body.toString()).request_id, answer.headers['x-request-id'])
    }
  })

  test('are distinct UUIDs in lower case', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => tracks.create()))

    for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    assert.equal(new Set(ids).size, 20)
  })
})
