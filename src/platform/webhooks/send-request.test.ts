import assert from 'node:assert/strict'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { createAddressPolicy } from './address-policy.ts'
import { readNoAnswer } from './no-answer.ts'
import { createSendRequest } from './send-request.ts'

const NEVER = new AbortController().signal
const policy = createAddressPolicy(['127.0.0.0/8'])
const resolve = async () => ['127.0.0.1']
const send = createSendRequest({ policy, resolve })
const sendWithinTwoSec = createSendRequest({ policy, resolve, answerWithinMs: 2_000 })

describe('createSendRequest', () => {
  test('returns the status and the beginning of the answer', async (t) => {
    const url = await listen(t, (request, response) => response.writeHead(418).end(`${request.method} ${request.url}`))

    const answer = await send({ url: `${url}/a?b=c`, headers: {}, body: '{}' }, NEVER)

    assert.deepEqual(answer, { status: 418, body: 'POST /a?b=c', error: null })
  })

  test('ends when there is no answer in time', async (t) => {
    const url = await listen(t, () => {})

    const answer = await sendWithinTwoSec({ url, headers: {}, body: '{}' }, NEVER)

    assert.deepEqual(answer, { status: null, body: null, error: 'There was no answer within 2 seconds.' })
  })

  test('ends when a name is not resolved in time', async () => {
    const stuck = createSendRequest({ policy, resolve: () => new Promise(() => {}), answerWithinMs: 50 })

    const answer = await stuck({ url: 'http://receiver.example', headers: {}, body: '{}' }, NEVER)

    assert.equal(answer.error, 'There was no answer within 0.05 seconds.')
  })

  test('connects to no inner address that a name has beside an allowed one', async (t) => {
    let connections = 0
    const inner = createHttpServer((_request, response) => response.end()).on('connection', () => connections++)
    const { port } = new URL(await listening(t, inner))
    const policyOfOther = createAddressPolicy(['127.0.0.2'])

    for (const addresses of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
    ]) {
      const careful = createSendRequest({
        policy: policyOfOther,
        resolve: async () => addresses,
        answerWithinMs: 1_000,
      })
      const answer = await careful({ url: `http://receiver.example:${port}`, headers: {}, body: '{}' }, NEVER)
      assert.equal(answer.status, null)
      assert.notEqual(answer.error, 'The URL leads to an address that is not allowed.')
    }

    assert.equal(connections, 0)
  })

  test('takes the status of an answer whose body never ends', async (t) => {
    const url = await listen(t, (_request, response) => response.writeHead(200).write('first'))

    const answer = await sendWithinTwoSec({ url, headers: {}, body: '{}' }, NEVER)

    assert.deepEqual(answer, { status: 200, body: 'first', error: null })
  })

  test('says that a connection is refused', async (t) => {
    const server = createServer()
    const url = await listening(t, server)
    await new Promise((closed) => server.close(closed))

    const answer = await send({ url, headers: {}, body: '{}' }, NEVER)

    assert.equal(answer.error, 'The connection was refused.')
  })

  test('says that a connection was closed, and that an answer is not HTTP', async (t) => {
    const closing = await listening(
      t,
      createServer((socket) => socket.once('data', () => socket.destroy())),
    )
    const talking = await listening(
      t,
      createServer((socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    )

    const closed = await send({ url: closing, headers: {}, body: '{}' }, NEVER)
    const foreign = await send({ url: talking, headers: {}, body: '{}' }, NEVER)

    assert.equal(closed.error, 'The connection was closed without an answer.')
    assert.match(foreign.error!, /^The answer is not HTTP/)
    assert.deepEqual(readNoAnswer(closed.error!), { reason: 'closed', value: '' })
    assert.deepEqual(readNoAnswer(foreign.error!), { reason: 'notHttp', value: 'HPE_INVALID_CONSTANT' })
    assert.equal(readNoAnswer('Something else.'), undefined)
  })

  test('says that a host name was not found', async () => {
    const missing = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    const lost = createSendRequest({ policy, resolve: missing })

    const answer = await lost({ url: 'http://missing.example', headers: {}, body: '{}' }, NEVER)

    assert.equal(answer.error, 'The host name was not found.')
  })

  test('connects only to the addresses of a name that are allowed', async (t) => {
    const asked: string[] = []
    const url = await listen(t, (request, response) => response.end(String(asked.push(request.headers.host!))))
    const mixed = createSendRequest({ policy, resolve: async () => ['10.0.0.1', '127.0.0.1', '::1'] })

    const answer = await mixed({ url: url.replace('127.0.0.1', 'mixed.example'), headers: {}, body: '{}' }, NEVER)

    assert.equal(answer.status, 200)
    assert.match(asked[0], /^mixed\.example:/)
  })

  test('does not connect to a literal address that is not allowed', async (t) => {
    let connections = 0
    const server = createServer(() => connections++)
    const url = await listening(t, server)
    const strict = createSendRequest({ policy: createAddressPolicy([]), resolve })

    const answer = await strict({ url: url.replace('http:', 'https:'), headers: {}, body: '{}' }, NEVER)

    assert.equal(answer.error, 'The URL leads to an address that is not allowed.')
    assert.equal(connections, 0)
  })

  test('connects over http only to what the operator has named', async () => {
    const toPublic = createSendRequest({ policy, resolve: async () => ['192.88.99.1', '1.1.1.1'] })

    const answer = await toPublic({ url: 'http://receiver.example', headers: {}, body: '{}' }, NEVER)

    assert.equal(answer.error, 'The URL leads to an address that is not allowed.')
  })

  test('stops when it is told to', async (t) => {
    const url = await listen(t, () => {})
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 20)

    const answer = await createSendRequest({ policy, resolve })({ url, headers: {}, body: '{}' }, stop.signal)

    assert.equal(answer.error, 'The server stopped before there was an answer.')
  })
})

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  return await listening(t, createHttpServer(answer))
}

async function listening(t: TestContext, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
