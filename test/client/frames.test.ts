import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readTiles, tilesOf } from '../../clients/typescript/src/live/frame-tiles.ts'
import { type FrameEvent, watchFrames } from '../../clients/typescript/src/live/watch-frames.ts'
import { shareEvent } from '../support/create-event.ts'
import { databases } from '../support/databases.ts'
import { frameServer } from '../support/frame-server.ts'
import { largeServer } from '../support/large-server.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

describe('watchFrames', async () => {
  const service = await startService({ after }, databases[0], { services: ['tracks'], signedIn: true })
  const tracks = trackRequests(service.request)

  test('yields the tracks and what changes, through lost connections, until the share ends', async () => {
    const { id, token } = await shareEvent(service)
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
