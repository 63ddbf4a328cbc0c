import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { LiveEvent, LivePoints, LiveTrack } from '../../clients/typescript/src/live/live-events.ts'
import { type FrameEvent, watchFrames } from '../../clients/typescript/src/live/watch-frames.ts'
import { watchShare } from '../../clients/typescript/src/live/watch-share.ts'
import type { SharedTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type * as server from '../../src/tracks/live/schemas.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

// What the server sends has the types that the client names: a difference does not compile.
const sameTypes: [LiveTrack, LivePoints] = [{} as SharedTrack, {} as server.LivePoints]

describe('watchShare', async () => {
  assert.equal(sameTypes.length, 2)
  const service = await startService({ after }, databases[0], { signedIn: true })
  const tracks = trackRequests(service.request)

  async function share(): Promise<{ id: string; token: string }> {
    const path = `/operator/events/${service.eventId}/shares`
    const { id, url } = await service.answer<{ id: string; url: string }>(201, 'POST', path, {})
    return { id, token: url.split('/').at(-1)! }
  }

  test('yields the tracks and what changes, through lost connections, until the share ends', async () => {
    const { id, token } = await share()
    const track = await tracks.create({ title: 'Round' })
    await tracks.add(track, makePoints(3, Date.now() - 10_000))
    const seen: LiveEvent['name'][] = []
    const line: number[] = []
    let connections = 0

    const cut: AbortController[] = []
    const lossy = async (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => {
      connections++
      const controller = new AbortController()
      cut.push(controller)
      if (connections > 1) assert.match(url, /\?last_event_id=\d+$/)
      return await fetch(url, { ...init, signal: AbortSignal.any([init.signal, controller.signal]) })
    }
    for await (const event of watchShare({ baseUrl: service.url, shareToken: token, fetch: lossy })) {
      if (event.name === 'as-of') continue
      seen.push(event.name)
      if (event.name === 'points') line.push(...event.data.time_ms.filter((time) => !line.includes(time)))
      if (event.name === 'ready' && connections === 1) cut[0].abort()
      if (event.name === 'disconnected') await tracks.add(track, makePoints(2, Date.now() - 5000))
      if (event.name === 'ready' && connections === 2) {
        await service.request('DELETE', `/operator/shares/${id}`)
      }
    }

    assert.equal(seen.at(-1), 'ended')
    assert.ok(seen.includes('disconnected'))
    assert.equal(line.length, 5)
  })

  test('tells what a whole snapshot no longer has after a lost connection', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const ready = { as_of: '2026-05-03T06:00:00Z', lag_ms: 0, delay_sec: 600 }
    const eventsOf = (ids: string[], last: object) =>
      [
        ...ids.map((id) => `event: track\ndata: {"id":"${id}"}\n\n`),
        `event: ready\ndata: ${JSON.stringify(last)}\n\n`,
      ].join('')
    const connections = [
      eventsOf(['a', 'b'], { ...ready, tracks_left_out: 0 }),
      eventsOf(['c'], ready),
      eventsOf(['b'], { ...ready, tracks_left_out: 0 }),
    ]
    const seen: string[] = []
    const answer = async () => new Response(connections.shift(), { headers: { 'content-type': 'text/event-stream' } })

    const events = watchShare({ baseUrl: service.url, shareToken: 'shr_x', fetch: answer })
    while (seen.filter((name) => name === 'ready').length < 3) {
      const next = events.next()
      t.mock.timers.tick(60_000)
      const { name, data } = (await next).value!
      if (name === 'ready' || name === 'track-deleted') seen.push('id' in data ? `${name} ${data.id}` : name)
    }
    await events.return()

    assert.deepEqual(seen, ['ready', 'ready', 'track-deleted a', 'track-deleted c', 'ready'])
  })

  test('throws for a share that does not exist', async () => {
    const events = watchShare({ baseUrl: service.url, shareToken: 'shr_unknown' })

    await assert.rejects(events.next(), { name: 'ShareEndedError', status: 404 })
  })

  test('ends when its signal is aborted', async () => {
    const { token } = await share()
    const aborting = new AbortController()

    for await (const { name } of watchShare({ baseUrl: service.url, shareToken: token, signal: aborting.signal })) {
      if (name === 'ready') aborting.abort()
    }

    assert.ok(aborting.signal.aborted)
  })

  test('can read the stream from a page of another site', async () => {
    const { token } = await share()
    const aborting = new AbortController()
    const headers = { Origin: 'https://app.example' }

    const stream = await fetch(`${service.url}/shares/${token}/live`, { headers, signal: aborting.signal })
    const unknown = await fetch(`${service.url}/shares/shr_unknown/live`, { headers })

    assert.equal(stream.headers.get('access-control-allow-origin'), '*')
    assert.equal(unknown.status, 404)
    assert.equal(unknown.headers.get('access-control-allow-origin'), '*')
    aborting.abort()
  })

  test('does not take the page of a captive portal for the stream', async () => {
    const aborting = new AbortController()
    const portal = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const events = watchShare({ baseUrl: service.url, shareToken: 'shr_x', fetch: portal, signal: aborting.signal })

    const { value } = await events.next()
    aborting.abort()

    assert.equal(value?.name, 'disconnected')
    assert.equal((await events.next()).done, true)
  })
})

describe('watchFrames', async () => {
  const service = await startService({ after }, databases[0], { services: ['tracks'], signedIn: true })
  const tracks = trackRequests(service.request)

  async function share(): Promise<{ id: string; token: string }> {
    const path = `/operator/events/${service.eventId}/shares`
    const { id, url } = await service.answer<{ id: string; url: string }>(201, 'POST', path, {})
    return { id, token: url.split('/').at(-1)! }
  }

  test('yields the tracks and what changes, through lost connections, until the share ends', async () => {
    const { id, token } = await share()
    const track = await tracks.create({ title: 'Round' })
    await tracks.add(track, makePoints(3, Date.now() - 10_000))
    const seen: FrameEvent['name'][] = []
    let requests = 0

    const lossy = async (url: string, init: RequestInit) => {
      requests++
      if (requests === 3) throw new TypeError('the connection is lost')
      return await fetch(url, init)
    }
    const events = watchFrames({ baseUrl: service.url, shareToken: token, fetch: lossy })
    await assert.rejects(
      async () => {
        for await (const event of events) {
          seen.push(event.name)
          if (event.name === 'disconnected') {
            await tracks.add(track, [{ latitude: 47, longitude: 7, timestamp: new Date().toISOString() }])
          } else if (event.tracks.get(track)?.latitude === 47) {
            assert.ok(seen.includes('disconnected'))
            await service.answer(204, 'DELETE', `/operator/shares/${id}`)
          } else assert.equal(Math.round(event.tracks.get(track)!.latitude!), 49)
        }
      },
      { name: 'ShareEndedError', status: 410 },
    )

    assert.equal(seen[0], 'frame')
    assert.equal(seen.filter((name) => name === 'disconnected').length, 1)
  })

  test('throws for a share that does not exist, and waits behind a captive portal', async () => {
    const aborting = new AbortController()
    const portal = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const options = { baseUrl: service.url, shareToken: 'shr_unknown', signal: aborting.signal }

    const unknown = watchFrames(options)
    const waiting = watchFrames({ ...options, fetch: portal })

    await assert.rejects(unknown.next(), { name: 'ShareEndedError', status: 404 })
    assert.equal((await waiting.next()).value?.name, 'disconnected')
    aborting.abort()
    assert.equal((await waiting.next()).done, true)
  })
})
