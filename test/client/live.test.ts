import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readTiles, tilesOf } from '../../clients/typescript/src/live/frame-tiles.ts'
import type { LiveEvent, LivePoints, LiveTrack } from '../../clients/typescript/src/live/live-events.ts'
import { type FrameEvent, watchFrames } from '../../clients/typescript/src/live/watch-frames.ts'
import { watchShare } from '../../clients/typescript/src/live/watch-share.ts'
import { watchStream } from '../../clients/typescript/src/live/watch-stream.ts'
import type { SharedTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import { encodeFrame } from '../../src/tracks/frames/encode-frame.ts'
import type { Frame, FrameTrack } from '../../src/tracks/frames/frame.ts'
import type * as server from '../../src/tracks/live/schemas.ts'
import { databases } from '../support/databases.ts'
import { largeServer } from '../support/large-server.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

// What the server sends has the types that the client names: a difference does not compile.
const sameTypes: [LiveTrack, LivePoints] = [{} as SharedTrack, {} as server.LivePoints]

describe('watchStream', async () => {
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
    const { token } = await share()
    const aborting = new AbortController()

    for await (const { name } of watchStream({ baseUrl: service.url, shareToken: token, signal: aborting.signal })) {
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
    const events = watchStream({ baseUrl: service.url, shareToken: 'shr_x', fetch: portal, signal: aborting.signal })

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

test('watchFrames reads an event of many tracks by tile, and all of it while the tiles are none or after a gap', async () => {
  const server = await largeServer()
  const area = { west: 0, south: 0, east: 0.005, north: 0.005 }
  let wanted: ReturnType<typeof tilesOf>
  const seen: [number, boolean, ...number[]][] = []
  const pause = async () => server.next()
  const events = watchFrames({ ...server, shareToken: 'shr_x', pause, tiles: readTiles(() => wanted) })
  for await (const event of events) {
    if (event.name !== 'frame') assert.fail()
    const { number, isWhole, changed, tiles } = event.frame
    seen.push([number, isWhole, changed.length, tiles?.length ?? 0, event.tracks.size])
    wanted = number < 8 ? tilesOf(area) : undefined
    if (number === 9) break
  }

  const count = 5001
  assert.deepEqual(seen, [
    [1, true, count, 0, count],
    // A tile begins with all that are in it, and goes on with those that differ.
    [2, true, 500, 1, count],
    [3, false, 1, 1, count],
    // The frames between are gone, and maybe tracks outside of the tile.
    [6, true, count, 0, count],
    [7, false, 2, 0, count],
    [8, true, 500, 1, count],
    // Nothing is known of the tracks outside since the frame 7.
    [8, false, 2, 0, count],
    [9, false, 2, 0, count],
  ])
})

test('watchFrames reads long frames in slices, between which a page does what is due', async (t) => {
  const server = await largeServer()
  let rests = 0
  Object.assign(globalThis, { scheduler: { yield: async () => rests++ } })
  t.after(() => Reflect.deleteProperty(globalThis, 'scheduler'))
  const wanted = tilesOf({ west: 0, south: 0, east: 0.005, north: 0.005 })
  const restsOfFrames: number[] = []

  const pause = async () => server.next()
  for await (const _ of watchFrames({ ...server, shareToken: 'shr_x', pause, tiles: readTiles(() => wanted) })) {
    restsOfFrames.push(rests)
    rests = 0
    if (restsOfFrames.length === 2) break
  }

  const [whole, tile] = restsOfFrames
  assert.ok(whole >= 30, `${whole} for 5,001 tracks`)
  assert.ok(tile >= 3, `${tile} for the 500 of a tile`)
})

describe('watchFrames beside a cache, a proxy and a server', () => {
  type Answers = { latest?: () => Response; live(signal: AbortSignal): Response | Promise<Response> }

  /** Reads until the given number of requests, with the given answers. Returns what was asked, and the frames. */
  async function readWith({ latest, live }: Answers, requests: number) {
    const server = await frameServer()
    const aborting = new AbortController()
    const asked: string[] = []
    const numbers: number[] = []
    const send = async (url: string, { signal }: { signal?: AbortSignal }) => {
      const path = url.split('/').at(-1)!
      asked.push(path)
      if (asked.length === requests) aborting.abort()
      if (path.startsWith('live')) return await live(signal!)
      return path === 'latest' && latest !== undefined ? latest() : await server.fetch(url)
    }
    const shareToken = 'shr_x'
    const options = { baseUrl: server.baseUrl, shareToken, fetch: send, pause: async () => {}, signal: aborting.signal }
    let ended: unknown
    try {
      for await (const event of watchFrames(options)) if (event.name === 'frame') numbers.push(event.frame.number)
    } catch (error) {
      ended = error
    }
    return { asked, numbers, ended }
  }

  const stream = (events: [event: string, data: object][]) =>
    new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    })
  const BEGINNING = ['latest', '1?whole=true', '2', 'latest', 'live?frames=bytes']

  test('reads the stream where the server itself answers, and the addresses once the stream is lost', async () => {
    const { newest, bytesOf } = await frameServer()
    const live = () =>
      stream([
        ['frame', newest(1, [1, 2])],
        ['frame', { ...newest(1, [1, 2, 3]), bytes: bytesOf('3') }],
        // A reader that was too slow has missed some.
        ['frame', { ...newest(70, [70]), bytes: bytesOf('3') }],
      ])

    const { asked, numbers } = await readWith({ live }, 8)

    assert.deepEqual(asked.slice(0, 7), [...BEGINNING, '70?whole=true', 'latest'])
    assert.deepEqual(numbers.slice(0, 4), [1, 2, 3, 70])
  })

  test('ends with the share that a stream shows', async () => {
    const { ended } = await readWith({ live: () => stream([['ended', { reason: 'revoked' }]]) }, 20)

    assert.deepEqual({ ...(ended as object) }, { name: 'ShareEndedError', status: 410 })
  })

  test('opens no stream while a cache answers', async () => {
    const { newest } = await frameServer()
    let answers = 0
    // The cache asks the server now and then.
    const latest = () => Response.json(newest(1, [1, 2]), { headers: answers++ % 2 === 0 ? {} : { age: '0' } })

    const { asked } = await readWith({ latest, live: () => Response.error() }, 20)

    assert.deepEqual([...new Set(asked)], ['latest', '1?whole=true', '2'])
  })

  test('goes on over a key frame without reading all tracks again', async () => {
    const { newest } = await frameServer()
    const found = [newest(1, [1, 2]), newest(3, [3])]
    const latest = () => Response.json(found.length > 1 ? found.shift() : found[0], { headers: { age: '0' } })

    const { asked, numbers } = await readWith({ latest, live: () => Response.error() }, 6)

    assert.deepEqual(asked.slice(0, 5), ['latest', '1?whole=true', '2', 'latest', '3'])
    assert.deepEqual(numbers, [1, 2, 3])
  })

  test('reads the addresses where a stream is refused, blocked, or has fallen silent', async (t) => {
    const silent = (first: string, signal: AbortSignal) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(first))
            setTimeout(() => t.mock.timers.tick(30_000), 10)
            signal.addEventListener('abort', () => controller.error(new Error('aborted')))
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    const { newest } = await frameServer()
    const event = `event: frame\ndata: ${JSON.stringify(newest(1, [1, 2]))}\n\n`
    const answers: Answers['live'][] = [
      () => new Response('', { status: 503 }),
      () => Promise.reject(new TypeError('blocked')),
      (signal) => silent('', signal),
      (signal) => silent(event, signal),
    ]
    t.mock.timers.enable({ apis: ['setInterval', 'Date'] })

    for (const live of answers) {
      const { asked } = await readWith({ live }, 7)
      assert.deepEqual(asked.slice(0, 6), [...BEGINNING, 'latest'])
    }
  })
})

/** Serves frames of one track: two seconds apart, with an hour of points at once, and after two minutes without any. */
async function frameServer() {
  const id = '00000000-0000-4000-8000-000000000001'
  const trackAt = (timeSec: number): FrameTrack => {
    const position = { timeSec, latitude: timeSec, longitude: 0, heading: 0 }
    return { id, state: 'running', position, speed: 0, rank: 0, details: 1, battery: 0 }
  }
  const make = (number: number, previous: number | null, timeSec: number): Frame => {
    const key = previous === null ? number : 1
    const rest = { delaySec: 0, leftOut: 0, asOfMs: 5_000_000 + number * 2000 }
    return {
      number,
      previous,
      key,
      isWhole: previous === null,
      ...rest,
      entries: [{ place: 0, track: trackAt(timeSec) }],
    }
  }
  const bytes = new Map<string, Uint8Array>()
  for (const frame of [make(1, null, 1000), make(2, 1, 1002), make(3, 2, 4600), make(70, null, 4640)]) {
    bytes.set(`${frame.number}${frame.isWhole ? '?whole=true' : ''}`, await encodeFrame(frame, [trackAt(1000)]))
  }
  const newest = (key: number, numbers: number[]) => {
    return { key, numbers, number: numbers.at(-1)!, as_of: 0, lag_ms: 0, interval_sec: 2 }
  }
  const answers = [newest(1, [1, 2]), newest(1, [1, 2, 3]), newest(70, [70])]
  return {
    baseUrl: 'https://tracks.example.org',
    newest,
    bytesOf: (path: string) => Buffer.from(bytes.get(path)!).toString('base64'),
    next: () => void answers.shift(),
    async fetch(url: string) {
      const path = url.split('/').at(-1)!
      if (path === 'latest') return Response.json(answers[0])
      if (path.startsWith('tracks')) return Response.json({ tracks: [{ id, title: 'One' }], next_cursor: null })
      return new Response(Buffer.from(bytes.get(path)!))
    },
  }
}
