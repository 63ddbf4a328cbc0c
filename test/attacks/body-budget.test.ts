import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { sender } from '../acceptance/start-program.ts'
import { HAS_ADDRESSES, openRaw, type RawConnection, requestHead, statusOf } from '../support/attack/raw-connection.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePoints } from '../support/make-points.ts'
import { answer, type WireTicket } from '../support/publish.ts'
import { trackRequests } from '../support/track-requests.ts'

const MIB = 1_048_576
/** The largest body that is accepted. */
const MAX_BYTES = 64 * MIB
/** Bodies held open at once from so many addresses, of each of which so many bytes arrive. */
const SIZE = sizes({ bodies: 8, addresses: 2, bytes: 30 * MIB }, { bodies: 16, addresses: 4, bytes: MAX_BYTES - 50 })
/** Processes share this machine with other tests, so a limit of 30 s may end some seconds later. */
const SLACK_MS = 15_000
const SLOW_LIMIT_MS = 30_000 + SLACK_MS

describe('memory of bodies', { concurrency: true }, async () => {
  const target = await startTarget({ after })
  const opened: RawConnection[] = []
  after(() => {
    for (const { socket } of opened) socket.destroy()
  })

  function open(head: string, from = '127.0.0.2'): RawConnection {
    const connection = openRaw(target.url, head, from)
    opened.push(connection)
    return connection
  }

  /** Creates a track, and returns the head of a request that sends points to it. */
  async function pointsHead(headers: Record<string, string | number>, token = target.token): Promise<string> {
    const id = await trackRequests(sender(target.url, token)).create()
    const given = { 'X-API-Key': token, 'Content-Type': 'application/json', ...headers }
    return requestHead('POST', `/tracks/${id}/points`, given)
  }

  const skip = !HAS_ADDRESSES && 'needs several addresses'
  test('large bodies that are held open keep nobody else from sending, signing in and uploading', {
    skip,
  }, async (t) => {
    const head = await pointsHead({ 'Content-Length': MAX_BYTES })
    const other = await target.createEvent()
    const rssBefore = target.usage()!.rssBytes
    const probe = await target.probe()
    const startedMs = performance.now()

    const bodies = Array.from({ length: SIZE.bodies }, (_, index) =>
      open(head, `127.0.0.${10 + (index % SIZE.addresses)}`),
    )
    const sent = Buffer.alloc(SIZE.bytes, ' ')
    for (const { socket } of bodies) socket.write(sent)
    await Promise.race([wait(60_000, undefined, { ref: false }), untilRefused(bodies)])
    const grown = target.usage()!.rssBytes - rssBefore
    const signIn = await target.operator.request('POST', '/operator/session', { name: 'operator', password: 'wrong' })
    const ticket = await target.publish('POST', '/publications/upload-url', { type: 'pdf' })
    const mine = await target.request('POST', '/tracks', { device_track_id: 'a', note: ' '.repeat(50_000) })
    const large = JSON.stringify({ points: makePoints(5000) })
    const otherHead = await pointsHead({ 'Content-Length': large.length }, other.token)
    const largeBatch = await sendFrom('127.0.0.7', otherHead, large)
    const bystanders = await probe.stop()
    const refused = bodies.filter(({ received }) => statusOf(received()) === 429)

    assert.deepEqual([signIn.status, ticket.status, mine.status, statusOf(largeBatch)], [401, 200, 201, 204])
    assert.ok(refused.length > 0, 'no body was refused')
    for (const { received } of refused) assert.match(received(), /retry-after: \d+.*"code":"RATE_LIMIT"/is)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    held(t, {
      bodies: [SIZE.bodies, ''],
      'refused with 429': [refused.length, ''],
      'memory more': [grown / MIB, 'MiB'],
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
      'held for': [(performance.now() - startedMs) / 1000, 's'],
    })
  })

  test('a body that trickles is ended with 408 and its connection closed', async (t) => {
    const compressed = zstdCompressSync(JSON.stringify({ points: makePoints(10_000) }))
    const plain = await pointsHead({ 'Content-Length': 10_000 })
    const zstd = await pointsHead({ 'Content-Length': compressed.length, 'Content-Encoding': 'zstd' })
    const startedMs = performance.now()

    const connections = [open(plain), open(plain), open(zstd)]
    connections[0].trickle(' ', 200)
    connections[2].socket.write(compressed.subarray(0, compressed.length - 20))
    const answers = await Promise.all(connections.map(ended))

    for (const text of answers) assert.match(text, /^HTTP\/1\.1 408 .*connection: close.*"code":"REQUEST_TIMEOUT"/is)
    held(t, { connections: [connections.length, ''], 'longest stay': [(performance.now() - startedMs) / 1000, 's'] })
  })

  test('an upload that trickles is ended with 408, and its ticket works again', async (t) => {
    const { uploadUrl } = await answer<WireTicket>(
      await target.publish('POST', '/publications/upload-url', { type: 'pdf' }),
      200,
    )
    const { pathname, search } = new URL(uploadUrl)
    const headers = { 'Content-Type': 'application/pdf', 'Content-Length': 100_000 }
    const startedMs = performance.now()

    const upload = open(`${requestHead('PUT', pathname + search, headers)}%PDF-1.7\n`)
    upload.trickle('%', 200)
    const text = await ended(upload)
    const again = await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/pdf' },
      body: '%PDF-1.7\n%%EOF',
    })

    assert.match(text, /^HTTP\/1\.1 408 .*connection: close.*"code":"REQUEST_TIMEOUT"/is)
    assert.equal(again.status, 200, await again.text())
    held(t, { 'longest stay': [(performance.now() - startedMs) / 1000, 's'] })
  })

  test('a slow phone gets its batch through at 1 kB per second', async (t) => {
    const body = JSON.stringify({ points: makePoints(400) })
    const { socket, closed } = open(
      await pointsHead({ 'Content-Length': body.length, Connection: 'close' }),
      '127.0.0.6',
    )

    for (let from = 0; from < body.length; from += 1000) {
      socket.write(body.slice(from, from + 1000))
      await wait(1000)
    }

    assert.equal(statusOf(await closed), 204)
    held(t, { 'batch sent': [body.length / 1000, 'kB'] })
  })

  async function sendFrom(address: string, head: string, body: string): Promise<string> {
    const connection = open(head, address)
    connection.socket.write(body)
    while (statusOf(connection.received()) === 0) await wait(20)
    return connection.received()
  }
})

/** Resolves with what a connection received once it is closed, which has to be within the limit. */
async function ended({ closed }: RawConnection): Promise<string> {
  const late = wait(SLOW_LIMIT_MS, 'is still open', { ref: false })
  return await Promise.race([closed, late])
}

/** Resolves when bodies have been refused, and the others have been sent as far as they go. */
async function untilRefused(bodies: readonly RawConnection[]): Promise<void> {
  const isRefused = ({ received }: RawConnection) => statusOf(received()) !== 0
  const isSettled = (body: RawConnection) => body.socket.writableLength === 0 || isRefused(body)
  while (!bodies.some(isRefused) || !bodies.every(isSettled)) await wait(50)
}
