import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { LiveEvent, LivePoints, LiveTrack } from '../../clients/typescript/src/live/live-events.ts'
import { watchShare } from '../../clients/typescript/src/live/watch-share.ts'
import { watchStream } from '../../clients/typescript/src/live/watch-stream.ts'
import type { SharedTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type * as server from '../../src/tracks/live/schemas.ts'
import { shareEvent } from '../support/create-event.ts'
import { databases } from '../support/databases.ts'
import { frameServer } from '../support/frame-server.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

// What the server sends has the types that the client names: a difference does not compile.
const sameTypes: [LiveTrack, LivePoints] = [{} as SharedTrack, {} as server.LivePoints]

describe('watchStream', async () => {
  assert.equal(sameTypes.length, 2)
  const service = await startService({ after }, databases[0], { signedIn: true })
  const tracks = trackRequests(service.request)

  test('yields the tracks and what changes, through lost connections, until the share ends', async () => {
    const { id, token } = await shareEvent(service)
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
    for await (const event of watchStream({ baseUrl: service.url, shareToken: token, fetch: lossy })) {
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

    const events = watchStream({ baseUrl: service.url, shareToken: 'shr_x', fetch: answer })
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
    const events = watchStream({ baseUrl: service.url, shareToken: 'shr_unknown' })

    await assert.rejects(events.next(), { name: 'ShareEndedError', status: 404 })
  })

  test('ends when its signal is aborted', async () => {
    const { token } = await shareEvent(service)
    const aborting = new AbortController()

    for await (const { name } of watchStream({ baseUrl: service.url, shareToken: token, signal: aborting.signal })) {
      if (name === 'ready') aborting.abort()
    }

    assert.ok(aborting.signal.aborted)
  })

  test('can read the stream from a page of another site', async () => {
    const { token } = await shareEvent(service)
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
    const events = watchStream({ baseUrl: service.url, shareToken: 'shr_x', fetch: portal, signal: aborting.signal })

    const { value } = await events.next()
    aborting.abort()

    assert.equal(value?.name, 'disconnected')
    assert.equal((await events.next()).done, true)
  })
})

describe('watchShare', async () => {
  const service = await startService({ after }, databases[0], { services: ['tracks'], signedIn: true })
  const tracks = trackRequests(service.request)
  const sharesPath = `/operator/events/${service.eventId}/shares`

  test('yields tracks with their names, positions and deletions, until the share ends', async () => {
    const { id, url } = await service.answer<{ id: string; url: string }>(201, 'POST', sharesPath, {})
    const [first, second] = [await tracks.create({ title: 'First' }), await tracks.create({ title: 'Second' })]
    await tracks.add(first, makePoints(3, Date.now() - 10_000))
    let requests = 0
    const lossy = async (address: string, init: RequestInit) => {
      requests++
      if (requests === 4) throw new TypeError('the connection is lost')
      return await fetch(address, init)
    }
    const seen: string[] = []
    for await (const { name, data } of watchShare({
      baseUrl: service.url,
      shareToken: url.split('/').at(-1)!,
      fetch: lossy,
    })) {
      if (name === 'track') seen.push(`track ${data.title} ${data.state}`)
      else if (name === 'points') seen.push(`${data.track_id === first ? 'First' : 'Second'} ${data.latitude.length}`)
      else if (name !== 'as-of' && seen.at(-1) !== name) seen.push(name)
      const { length } = seen
      if (name === 'ready') {
        await service.answer(200, 'PATCH', `/operator/tracks/${first}`, { title: 'Renamed' })
        await tracks.add(second, makePoints(2, Date.now() - 5000))
      }
      if (name === 'track' && data.title === 'Renamed') await service.answer(204, 'DELETE', `/operator/tracks/${first}`)
      if (name === 'track-deleted') await service.answer(204, 'DELETE', `/operator/shares/${id}`)
      assert.ok(length < 30, seen.join())
    }

    assert.ok(seen.indexOf('track First running') < seen.indexOf('First 1'))
    assert.ok(seen.indexOf('First 1') < seen.indexOf('ready'))
    for (const one of ['disconnected', 'Second 1', 'track Renamed running', 'track-deleted']) {
      assert.ok(seen.indexOf(one) > seen.indexOf('ready'), one)
    }
    assert.equal(seen.at(-1), 'ended')
  })

  test('tells where positions are missing: after a sleep, and in what a phone has sent late', async () => {
    const { baseUrl, ...server } = await frameServer()
    const gaps: [timeSec: number, hasGap: boolean][] = []

    const events = watchShare({ baseUrl, shareToken: 'shr_x', fetch: server.fetch, pause: async () => server.next() })
    for await (const { name, data } of events) {
      if (name === 'points') gaps.push([data.time_ms[0] / 1000, data.has_gap])
      if (gaps.length === 4) break
    }

    assert.deepEqual(gaps, [
      [1000, false],
      [1002, false],
      // A phone has sent an hour of points: frames have the last one.
      [4600, true],
      // The frames of the time in which the page slept are gone.
      [4640, true],
    ])
  })

  test('throws for a share that does not exist, and shows what a delay lets through', async () => {
    await assert.rejects(watchShare({ baseUrl: service.url, shareToken: 'shr_unknown' }).next(), { status: 404 })
    await service.answer(200, 'PATCH', `/operator/events/${service.eventId}`, { spectator_delay_sec: 600 })
    const { url } = await service.answer<{ url: string }>(201, 'POST', sharesPath, {})
    await tracks.add(await tracks.create({ title: 'Hidden' }), makePoints(3, Date.now() - 10_000))

    const events = watchShare({ baseUrl: service.url, shareToken: url.split('/').at(-1)! })
    const { value } = await events.next()
    await events.return()

    assert.equal(value?.name, 'ready')
    assert.equal(value?.name === 'ready' && value.data.delay_sec, 600)
  })
})
