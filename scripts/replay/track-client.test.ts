import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { openExchange } from './exchange.ts'
import { startPlayClock } from './play-track.ts'
import {
  askedWaitMs,
  backOffMs,
  isWorthAnotherTry,
  ReplayError,
  type ResendReason,
  trackClient,
} from './track-client.ts'

const POINTS = [{ latitude: 45, longitude: 6, timestamp: '2026-05-03T06:00:00.000Z' }]

/** Starts a server with scripted responses, and a client that never waits for the track. */
async function connect(t: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = new AbortController()
  t.after(() => {
    stop.abort()
    server.closeAllConnections()
    server.close()
  })
  const reasons: ResendReason[] = []
  const client = trackClient({
    url,
    exchange: openExchange(url, 'trk_test', stop.signal),
    clock: startPlayClock(Number.POSITIVE_INFINITY, stop.signal),
    onResend: (reason) => reasons.push(reason),
  })
  return { client, reasons, server, stop }
}

/** Answers with the given statuses in turn, and repeats the last one. Requests no wait. */
function answering(...statuses: number[]): RequestListener {
  return (request, response) => {
    const status = statuses.length > 1 ? statuses.shift()! : statuses[0]
    request.resume().on('end', () => response.writeHead(status, { 'Retry-After': '0' }).end())
  }
}

describe('trackClient', () => {
  test('repeats requests answered with 429 or 503', async (t) => {
    const { client, reasons } = await connect(t, answering(429, 503, 204))

    await client.addPoints('an-id', POINTS, [])

    assert.deepEqual(reasons, ['answer 429', 'answer 503'])
  })

  test('repeats requests without a response', async (t) => {
    let requests = 0
    const { client, reasons } = await connect(t, (request, response) => {
      if (requests++ === 0) request.socket.destroy()
      else answering(204)(request, response)
    })

    await client.addPoints('an-id', POINTS, [])

    assert.deepEqual(reasons, ['no connection'])
  })

  test('cuts requests and drops responses as planned, and then delivers', async (t) => {
    const bodies: string[] = []
    const { client, reasons } = await connect(t, (request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('error', () => {})
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(204).end()
      })
    })

    await client.addPoints('an-id', POINTS, ['cut off', 'answer lost', 'cut off'])

    assert.deepEqual(reasons, ['cut off', 'answer lost', 'cut off'])
    assert.deepEqual(bodies, Array(2).fill(JSON.stringify({ points: POINTS })))
  })

  test('continues with the existing track after a lost response', async (t) => {
    const { client } = await connect(t, (request, response) => {
      request.resume().on('end', () => {
        response.writeHead(409, { 'Content-Type': 'application/problem+json' })
        response.end(JSON.stringify({ code: 'CONFLICT', track_id: 'the-first' }))
      })
    })

    assert.equal(await client.create({ device_track_id: 'replay-1' }, []), 'the-first')
  })

  test("stops at a refusal with the server's explanation", async (t) => {
    const problem = {
      code: 'BAD_REQUEST',
      detail: 'The body is not valid.',
      errors: [{ path: 'points/0/latitude', message: 'must be <= 90' }],
    }
    const { client, reasons } = await connect(t, (request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(JSON.stringify(problem)))
    })

    const sent = client.addPoints('an-id', POINTS, [])

    await assert.rejects(sent, {
      name: 'ReplayError',
      message:
        'The server refuses POST /tracks/an-id/points: 400 BAD_REQUEST, The body is not valid.\n  points/0/latitude: must be <= 90',
    })
    assert.deepEqual(reasons, [])
  })

  test('reports an absent server and one that is not a track service', async (t) => {
    const { client, server } = await connect(t, answering(200))

    await assert.rejects(client.create({ device_track_id: 'replay-1' }, []), /This is not a track service/)
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    await assert.rejects(client.create({ device_track_id: 'replay-1' }, []), /Nothing answers at .*ECONNREFUSED/)
  })

  test('stops at once on its signal, even during a wait', async (t) => {
    const { client, stop } = await connect(t, (_, response) => response.writeHead(503, { 'Retry-After': '50' }).end())

    const sent = client.addPoints('an-id', POINTS, [])
    setImmediate(() => stop.abort())

    await assert.rejects(sent, (error: Error) => error.name === 'AbortError' && !(error instanceof ReplayError))
  })
})

describe('backOffMs', () => {
  test('doubles from half a second to eight seconds', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 100].map((attempts) => backOffMs(attempts)),
      [500, 1000, 2000, 4000, 8000, 8000, 8000],
    )
  })
})

describe('askedWaitMs', () => {
  const nowMs = Date.UTC(2026, 4, 3, 6)

  test('reads seconds and dates', () => {
    assert.equal(askedWaitMs('3', nowMs), 3000)
    assert.equal(askedWaitMs('Sun, 03 May 2026 06:00:05 GMT', nowMs), 5000)
  })

  test('waits neither for the past nor longer than a minute', () => {
    assert.equal(askedWaitMs('Sun, 03 May 2026 05:00:00 GMT', nowMs), 0)
    assert.equal(askedWaitMs('86400', nowMs), 60_000)
  })

  test('returns undefined for an unreadable header', () => {
    assert.equal(askedWaitMs(undefined, nowMs), undefined)
    assert.equal(askedWaitMs('soon', nowMs), undefined)
  })
})

describe('isWorthAnotherTry', () => {
  test('is true for temporary failures, not for refusals', () => {
    assert.ok([429, 502, 503, 504].every(isWorthAnotherTry))
    assert.ok(![200, 204, 400, 401, 404, 409, 413, 500].some(isWorthAnotherTry))
  })
})
