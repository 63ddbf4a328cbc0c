import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sender } from '../acceptance/start-program.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePoints } from '../support/make-points.ts'

const SIZE = sizes({ points: 50_000, requests: 40 }, { points: 500_000, requests: 1000 })
const BATCH = 10_000
/** Processor time of one request in all threads. Computing the statistics of the track takes many times as long. */
const MAX_PROCESSOR_MS = sizes(50, 25)

describe('tiny requests for a long track', async () => {
  const target = await startTarget({ after })
  const { tracks, request } = target
  let trackId = ''

  before(async () => {
    trackId = await tracks.create()
    for (let at = 0; at < SIZE.points; at += BATCH) await tracks.add(trackId, makePoints(BATCH, at * 1000))
    await tracks.finish(trackId)
  })

  const attacks = {
    'finishing a finished track again and again computes nothing': () => tracks.finish(trackId),
    'new titles again and again compute no statistics': (i: number) => tracks.update(trackId, { title: `Title ${i}` }),
    'the last points again and again read no points before them': () =>
      tracks.points(trackId, `?offset=${SIZE.points - 1}&limit=1`),
    'a device_track_id that is taken again and again is refused without reading the track': async () => {
      const { device_track_id } = await tracks.read(trackId)
      assert.equal((await request('POST', '/tracks', { device_track_id })).status, 409)
    },
  }
  for (const [name, send] of Object.entries(attacks)) {
    test(name, async (t) => {
      const probe = await target.probe()
      const start = target.usage()

      for (let i = 0; i < SIZE.requests; i++) await send(i)

      const end = target.usage()
      const { points, health } = await probe.stop()
      const perRequestMs = (end && start ? end.processorMs - start.processorMs : 0) / SIZE.requests
      assert.equal(points.failed + health.failed, 0)
      assert.ok(perRequestMs < MAX_PROCESSOR_MS, `${perRequestMs} ms of processor time for each request`)
      held(t, {
        requests: [SIZE.requests, ''],
        'processor time of each': [perRequestMs, 'ms'],
        'longest wait of others': [Math.max(points.longestMs, health.longestMs), 'ms'],
      })
    })
  }

  test('pauses again and again are refused before a track has too many to read', async (t) => {
    const id = await tracks.create()
    // Written directly, because thousands of pauses by requests take minutes.
    const pauses = JSON.stringify(Array.from({ length: 2000 }, (_, i) => [2 * i, 2 * i + 1]))
    await target.installation.query(`update tracks set pauses = '${pauses}' where id = '${id}'`)

    const response = await request('PATCH', `/tracks/${id}`, { state: 'paused' })

    assert.equal(response.status, 403)
    assert.match(((await response.json()) as { detail: string }).detail, /limit of pauses/)
    held(t, { pauses: [2000, ''] })
  })

  test('deleting a long track does not hold up others', async (t) => {
    const managerToken = await target.installation.managerToken()
    const probe = await target.probe()

    const response = await sender(target.url, managerToken)('DELETE', `/tracks/${trackId}`)

    const { points, health } = await probe.stop()
    assert.equal(response.status, 204)
    assert.equal(points.failed + health.failed, 0)
    held(t, { 'longest wait of others': [Math.max(points.longestMs, health.longestMs), 'ms'] })
  })
})
