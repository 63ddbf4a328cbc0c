import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { createLogger } from '../basics/logger.ts'
import type { ConnectionLimits } from './connection-limit.ts'
import { createHttpServer } from './create-http-server.ts'
import { compressPart, type EventStream, encodeEvents, openEventStream } from './event-stream.ts'
import { createHttpMetrics } from './http-metrics.ts'

/** Starts a server with a stream at /events that `use` fills. */
async function serve(
  t: TestContext,
  use: (stream: EventStream) => void,
  { streamLimits, lifetimeMs }: { streamLimits?: ConnectionLimits; lifetimeMs?: number } = {},
) {
  const logger = createLogger('silent')
  const metrics = createHttpMetrics()
  const app = await createHttpServer({ logger, metrics, trustedProxies: [], formats: {}, streamLimits })
  app.get('/events', (request, reply) => {
    reply.header('x-own', 'kept')
    use(openEventStream(request, reply, { service: 'tests', subject: crypto.randomUUID() }, lifetimeMs))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  return { app, metrics, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/events` }
}

/** Headers of a client whose unread bytes are as many as were sent: repeated text would be compressed to nothing. */
const PLAIN = { headers: { 'accept-encoding': 'identity' } }

describe('openEventStream', () => {
  test('sends events and comments in the format of browsers, with the headers of the reply', async (t) => {
    const { url } = await serve(t, (stream) => {
      stream.send({ event: 'progress', id: '7', data: { text: 'two\nlines' } })
      stream.comment('still\nhere')
      stream.send(encodeEvents([{ data: 1 }]))
      stream.end()
    })

    const answer = await fetch(url, PLAIN)

    const events = 'id: 7\nevent: progress\ndata: {"text":"two\\nlines"}\n\n: still here\n\ndata: 1\n\n'
    assert.equal(await answer.text(), `retry: 2000\n\n${events}`)
    const { headers } = answer
    assert.deepEqual(
      ['content-type', 'cache-control', 'content-encoding', 'x-own'].map((name) => headers.get(name)),
      ['text/event-stream; charset=utf-8', 'no-store', null, 'kept'],
    )
    assert.ok(headers.has('x-request-id'))
  })

  test('compresses for browsers that accept it, and encoded events once for all of them', async (t) => {
    const shared = encodeEvents([{ data: 'far and wide '.repeat(1000) }])
    const { url } = await serve(t, (stream) => {
      stream.send(shared)
      stream.send({ data: 'more' })
      stream.end()
    })

    const answers = await Promise.all([1, 2].map(() => fetch(url, { headers: { 'accept-encoding': 'br, gzip' } })))

    const expected = `retry: 2000\n\n${shared.bytes}data: "more"\n\n`
    assert.deepEqual(await Promise.all(answers.map((answer) => answer.text())), [expected, expected])
    assert.deepEqual(
      answers.map(({ headers }) => [headers.get('content-encoding'), headers.get('vary')]),
      answers.map(() => ['gzip', 'Accept-Encoding']),
    )
    const part = compressPart(shared.bytes)
    assert.ok(part.length < shared.bytes.length / 10, `${part.length}`)
    assert.equal(compressPart(shared.bytes), part)
  })

  test('reports that the client has left, and then ignores events', async (t) => {
    const { promise: opened, resolve: open } = Promise.withResolvers<EventStream>()
    const { url } = await serve(t, open)
    const client = new AbortController()

    await fetch(url, { signal: client.signal })
    const stream = await opened
    const closed = new Promise((resolve) => stream.closed.addEventListener('abort', resolve))
    client.abort()
    await closed

    stream.send({ data: 'to nobody' })
    assert.equal(stream.closed.aborted, true)
  })

  test('ends when the server stops', async (t) => {
    const { app, url } = await serve(t, () => {})

    const answer = await fetch(url)
    await app.close()

    assert.equal(await answer.text(), 'retry: 2000\n\n')
  })

  test('sends a sign of life to a client that has heard nothing for a while, and ends with its life', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let aheadMs = 0
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + aheadMs)
    const { url } = await serve(t, () => {}, { lifetimeMs: 120_000 })
    const answer = await fetch(url, PLAIN)

    for (const ahead of [0, 30_000, 33_000, 150_000]) {
      aheadMs = ahead
      t.mock.timers.tick(15_000)
    }

    assert.equal(await answer.text(), 'retry: 2000\n\n: \n\n')
  })

  test('disconnects a client that does not read', async (t) => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    const { url } = await serve(t, (stream) => {
      stream.closed.addEventListener('abort', () => close())
      const fill = () => {
        for (let i = 0; i < 64; i++) stream.send({ data: 'x'.repeat(65_536) })
        if (!stream.closed.aborted) setImmediate(fill)
      }
      fill()
    })

    const reading = fetch(url, PLAIN).then((answer) => answer.text())

    await Promise.all([closed, assert.rejects(reading, { name: 'TypeError', message: /^(terminated|fetch failed)$/ })])
  })

  test('disconnects a client that has read nothing for a minute, although little is unread', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { promise: filled, resolve: fill } = Promise.withResolvers<EventStream>()
    const { url } = await serve(t, async (stream) => {
      let isRead = true
      while (isRead && !stream.closed.aborted) {
        stream.send({ data: 'x'.repeat(65_536) })
        const drained = stream.drained() ?? nextTurn()
        isRead = await Promise.race([drained.then(() => true), wait(300, false)])
      }
      fill(stream)
    })

    // Undici closes the connection of an answer that nobody holds any more.
    const answer = await fetch(url, PLAIN)
    t.after(() => answer.body?.cancel().catch(() => {}))
    const { closed } = await filled
    t.mock.timers.tick(45_000)
    const wasClosed = closed.aborted
    // The first heartbeat finds out what is unread, and four more that nothing was read.
    t.mock.timers.tick(30_000)
    await wait(50)

    assert.deepEqual([wasClosed, closed.aborted], [false, true])
  })

  test('sends more than the limit of unread bytes if the sender waits for the client', async (t) => {
    const { url } = await serve(t, async (stream) => {
      for (let i = 0; i < 64 && !stream.closed.aborted; i++) {
        stream.send({ data: 'x'.repeat(65_536) })
        await stream.drained()
      }
      stream.end()
    })

    const text = await (await fetch(url, PLAIN)).text()

    assert.equal(text.match(/data: "x+"/g)?.length, 64)
  })

  test('answers HEAD without events, and counts the request', async (t) => {
    const { metrics, url } = await serve(t, (stream) => stream.send({ data: 1 }))

    const answer = await fetch(url, { method: 'HEAD' })

    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.match(
      await metrics.registry.metrics(),
      /http_requests_total\{method="HEAD",route="\/events",status="200"\} 1/,
    )
  })

  test('limits the streams of an address and of the server, and frees a place when one ends', async (t) => {
    const cases = [
      { limits: { total: 2, perCaller: 1 }, status: 429 },
      { limits: { total: 1, perCaller: 2 }, status: 503 },
    ]
    for (const { limits, status } of cases) {
      const streams: EventStream[] = []
      const { url } = await serve(t, (stream) => streams.push(stream), { streamLimits: limits })
      const first = await fetch(url, PLAIN)

      const refused = await fetch(url, PLAIN)
      await refused.text()
      streams[0].end()
      await first.text()
      const later = await fetch(url, PLAIN)
      await later.body?.cancel()

      assert.deepEqual([refused.status, later.status], [status, 200])
      assert.equal(refused.headers.get('retry-after'), '10')
    }
  })

  test('does not count HEAD against the limit', async (t) => {
    const { url } = await serve(t, () => {}, { streamLimits: { total: 1, perCaller: 1 } })

    await fetch(url, { method: 'HEAD' })
    const answer = await fetch(url)
    await answer.body?.cancel()

    assert.equal(answer.status, 200)
  })
})
