import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { HAS_ADDRESSES, openRaw, type RawConnection, requestHead, statusOf } from '../support/attack/raw-connection.ts'
import { held, sizes, startTarget } from '../support/attack.ts'

const LIMIT = sizes(200, 1000)
const ATTACKER = '127.0.0.2'
const PROXY = '127.0.0.3'
/** Processes share this machine with other tests, so a limit of 30 s may end some seconds later. */
const SLACK_MS = 15_000

describe('connections', { concurrency: true }, async () => {
  const target = await startTarget({ after }, undefined, {
    CONNECTIONS_PER_ADDRESS: String(LIMIT),
    TRUSTED_PROXIES: PROXY,
  })
  const opened: RawConnection[] = []
  after(() => {
    for (const { socket } of opened) socket.destroy()
  })

  function open(text: string, from = ATTACKER): RawConnection {
    const connection = openRaw(target.url, text, from)
    opened.push(connection)
    return connection
  }

  const skip = !HAS_ADDRESSES && 'needs several addresses'
  test('one address cannot take all connections, and its clients are told so', { skip }, async (t) => {
    const probe = await target.probe()
    const ping = requestHead('GET', '/healthz', {})

    const all = Array.from({ length: 2 * LIMIT }, () => open(ping))
    await until(() => all.every(({ received }) => statusOf(received()) !== 0))
    const proxied = Array.from({ length: LIMIT + 10 }, () => open(ping, PROXY))
    await until(() => proxied.every(({ received }) => statusOf(received()) !== 0))
    const refused = all.filter(({ received }) => statusOf(received()) === 429)
    const answers = await Promise.all(refused.map(({ closed }) => closed))
    all.find(({ received }) => statusOf(received()) === 200)!.socket.destroy()
    // The server may hear of the end later than of the next connection.
    let later = open(ping)
    for (; statusOf(later.received()) !== 200; await wait(20)) {
      if (statusOf(later.received()) !== 429) continue
      later = open(ping)
    }
    const bystanders = await probe.stop()

    assert.equal(refused.length, LIMIT)
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 429 .*Retry-After: \d+.*"code":"RATE_LIMIT"/is)
    assert.ok(proxied.every(({ received }) => statusOf(received()) === 200))
    assert.equal(statusOf(later.received()), 200)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    held(t, {
      'connections tried': [all.length, ''],
      refused: [refused.length, ''],
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
    })
  })

  test('a body that trickles on after an early answer is cut off', async (t) => {
    const tooLarge = { 'Content-Length': 70 * 1_048_576, 'Content-Type': 'application/json' }
    const heads = [
      [401, requestHead('POST', '/tracks', tooLarge)],
      [404, requestHead('POST', '/nothing', tooLarge)],
      [405, requestHead('PUT', '/tracks', tooLarge)],
      [413, requestHead('POST', '/tracks', { ...tooLarge, 'X-API-Key': target.token })],
      [200, requestHead('GET', '/healthz', tooLarge)],
      [400, requestHead('GET', '/healthz', { ...tooLarge, Host: 'two hosts' })],
      [404, requestHead('POST', '/p/%', tooLarge)],
    ] as const
    const startedMs = performance.now()

    const connections = heads.map(([, head]) => open(`${head}{`, '127.0.0.4'))
    for (const { trickle } of connections) trickle(' ', 500)
    const limit = wait(30_000 + SLACK_MS, undefined, { ref: false })
    const answers = await Promise.all(connections.map(({ closed }) => Promise.race([closed, limit])))

    assert.deepEqual(
      answers.map((answer) => statusOf(answer ?? '')),
      heads.map(([status]) => status),
    )
    held(t, { connections: [heads.length, ''], 'longest stay': [(performance.now() - startedMs) / 1000, 's'] })
  })

  test('a body sent at full speed after an early answer is cut off', async (t) => {
    const head = requestHead('POST', '/tracks', { 'Content-Length': 1e12, 'Content-Type': 'application/json' })
    const { socket, closed } = open(head, '127.0.0.5')
    const piece = Buffer.alloc(1_048_576, ' ')
    const send = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    const sentBefore = () => socket.bytesWritten - socket.writableLength
    let sent = 0
    socket.on('drain', () => {
      sent = sentBefore()
      send()
    })

    send()
    const answer = await closed

    assert.equal(statusOf(answer), 401)
    assert.ok(sent < 1e9, `${sent} bytes were accepted`)
    held(t, { 'bytes accepted': [sent / 1_048_576, 'MiB'] })
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20)
}
