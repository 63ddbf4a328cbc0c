import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { conflict } from '../basics/errors.ts'
import { loggerOptions } from '../basics/logger.ts'
import { WorkQueue } from '../jobs/work-queue.ts'
import { type LoggedAddresses, loggedAddress, workClient } from './client.ts'
import { createHttpServer } from './create-http-server.ts'
import { openEventStream } from './event-stream.ts'
import { createHttpMetrics } from './http-metrics.ts'
import type { HttpServer } from './http-server.ts'

type Line = Record<string, unknown>

const SECRET = 'a-secret-that-opens-everything'
const HASH = 'ab'.repeat(32)

/** Starts a server with a few routes, which logs nothing but requests, and what is of the level. */
async function startLogging(t: TestContext, logAddresses: LoggedAddresses, level: 'fatal' | 'error' = 'fatal') {
  const lines: Line[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logger = pino(
    loggerOptions(level, (address) => loggedAddress(address, logAddresses)),
    destination,
  )
  const options = { logger, metrics: createHttpMetrics(), trustedProxies: ['127.0.0.1'], formats: {} }
  const app = await createHttpServer({ ...options, logRequests: true })
  addRoutes(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const until = async (count: number) => {
    while (lines.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    return lines
  }
  return { url: `http://127.0.0.1:${port}`, port, lines, until, registry: options.metrics.registry, server: app.server }
}

function addRoutes(app: HttpServer): void {
  app.get('/things/:secret', async (request) => {
    request.tokenHash = HASH
    return { text: 'x'.repeat(1000) }
  })
  app.get('/failing/:secret', async () => {
    throw conflict()
  })
  app.get('/broken-page', async (_request, reply) => reply.code(500).type('text/html').send('<p>Sorry</p>'))
  app.get('/stream', async (request, reply) => {
    openEventStream(request, reply, { service: 'tests', subject: 'a' }).end()
  })
  const queue = new WorkQueue<never>({ running: 1, waiting: 1, waitingPerCaller: 1 })
  const onSend = async (_request: FastifyRequest, reply: FastifyReply) => void app.server.emit('answered', reply)
  app.get('/work', { onSend }, async (request, reply) => {
    return await queue.do('a', workClient(request, reply), async (signal) => {
      app.server.emit('working')
      await once(signal, 'abort')
      throw signal.reason
    })
  })
}

describe('the log of requests', () => {
  test('has a line for each request, without its address, at any level of the log', async (t) => {
    const { url, until } = await startLogging(t, 'network')
    const headers = { 'X-Request-Id': 'find-me-again', 'X-Forwarded-For': '203.0.113.77', Authorization: SECRET }

    await (await fetch(`${url}/things/${SECRET}?token=${SECRET}`, { headers })).text()
    const [line] = await until(1)

    const { time, durationMs, bytes, ...rest } = line
    assert.ok(Math.abs(Date.now() - (time as number)) < 60_000)
    assert.ok((durationMs as number) > 0)
    assert.ok((bytes as number) > 100)
    assert.deepEqual(
      { ...rest, pid: 0, hostname: '' },
      {
        level: 30,
        pid: 0,
        hostname: '',
        reqId: 'find-me-again',
        method: 'GET',
        route: '/things/:secret',
        status: 200,
        ip: '203.0.113.0/24',
        token: HASH.slice(0, 32),
        msg: 'request',
      },
    )
    assert.ok(!JSON.stringify(line).includes(SECRET))
  })

  test('names the code of an error, and routes that do not exist by no address', async (t) => {
    const { url, until } = await startLogging(t, 'none')

    await fetch(`${url}/failing/${SECRET}`)
    await fetch(`${url}/${SECRET}`)
    await fetch(`${url}/stream`)
    const [failed, unknown, stream] = await until(3)

    assert.deepEqual([failed.status, failed.code, failed.ip], [409, 'CONFLICT', undefined])
    assert.deepEqual([unknown.status, unknown.route], [404, 'unknown'])
    assert.deepEqual([stream.status, stream.route], [200, '/stream'])
  })

  test('goes with a count of errors by their code, of pages for people too', async (t) => {
    const { url, until, registry } = await startLogging(t, 'none')

    await fetch(`${url}/failing/a`)
    await fetch(`${url}/broken-page`)
    await until(2)

    const text = await registry.metrics()
    for (const [code, count] of [
      ['CONFLICT', 1],
      ['INTERNAL', 1],
      ['UNAVAILABLE', 0],
    ]) {
      assert.ok(text.includes(`http_problems_total{code="${code}"} ${count}\n`), code as string)
    }
  })

  test('has no failure if work ends because its client has left', async (t) => {
    const { port, lines, server } = await startLogging(t, 'none', 'error')
    const working = once(server, 'working')
    const answered = once(server, 'answered')
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /work HTTP/1.1\r\nHost: x\r\n\r\n')
    await working

    socket.destroy()
    const [reply] = await answered

    assert.deepEqual([reply.statusCode, reply.problemCode], [400, 'BAD_REQUEST'])
    assert.deepEqual(
      lines.filter(({ msg }) => msg !== 'request'),
      [],
    )
  })

  test('counts the bytes of each answer of a connection that is used again', async (t) => {
    const { port, until } = await startLogging(t, 'full')
    const socket = connect(port, '127.0.0.1')
    const request = 'GET /things/a HTTP/1.1\r\nHost: x\r\n\r\n'
    const sizes: number[] = []
    for (const count of [1, 2]) {
      const answered = once(socket, 'data')
      socket.write(request)
      await Promise.all([answered, until(count)])
      sizes.push(socket.bytesRead)
    }
    socket.end()
    await once(socket, 'close')

    const [first, second] = await until(2)

    assert.deepEqual([first.bytes, second.bytes], [sizes[0], sizes[1] - sizes[0]])
    assert.equal(first.ip, '127.0.0.1')
  })
})

describe('loggedAddress', () => {
  for (const [address, network] of [
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
    ['unknown', 'unknown'],
  ]) {
    test(`shortens ${address}`, () => {
      assert.equal(loggedAddress(address, 'network'), network)
    })
  }

  test('applies to every line, whoever writes it', () => {
    const lines: string[] = []
    const logger = pino(
      loggerOptions('info', (address) => loggedAddress(address, 'none')),
      { write: (line: string) => lines.push(line) },
    )

    logger.child({ reqId: 'a' }).warn({ ip: '192.0.2.77', code: 'UNAUTHORIZED' }, 'sign-in failed')
    logger.error({ address: '2001:db8::77' }, 'refusals could not be added')

    assert.equal(lines.length, 2)
    assert.doesNotMatch(lines.join(), /192\.0\.2|2001/)
  })

  test('keeps all or nothing', () => {
    assert.equal(loggedAddress('192.0.2.77', 'full'), '192.0.2.77')
    assert.equal(loggedAddress('192.0.2.77', 'none'), undefined)
  })
})
