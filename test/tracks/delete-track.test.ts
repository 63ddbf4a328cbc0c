import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'

describeTracks('DELETE /tracks/:id', async ({ service, tracks }) => {
  test('answers 204 and deletes the track with its points', async () => {
    const id = await tracks.sync({ points: makePoints(5) })

    const response = await service.asManager('DELETE', `/tracks/${id}`)

    assert.equal(response.status, 204)
    assert.equal(await response.text(), '')
    const later: [method: string, path: string, body?: unknown][] = [
      ['GET', ''],
      ['GET', '/points'],
      ['POST', '/points', { points: makePoints(1) }],
      ['PATCH', '', { title: 'x' }],
      ['POST', '/finish'],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of later) {
      await readProblem(await service.asManager(method, `/tracks/${id}${path}`, body), 404, 'NOT_FOUND')
    }
  })

  test('frees the device_track_id', async () => {
    const track = { device_track_id: randomUUID() }
    const first = await tracks.sync({ track, points: makePoints(5) })

    await service.asManager('DELETE', `/tracks/${first}`)

    const second = await tracks.sync({ track })
    assert.notEqual(second, first)
    assert.equal((await tracks.points(second)).count, 0)
  })

  test('leaves other tracks unchanged', async () => {
    const kept = await tracks.sync({ points: makePoints(5) })
    const gone = await tracks.sync({ points: makePoints(5) })

    await service.asManager('DELETE', `/tracks/${gone}`)

    assert.equal((await tracks.points(kept)).count, 5)
  })
})
