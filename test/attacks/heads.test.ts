import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { holdMeter } from '../support/attack/hold.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { sendBytes } from '../support/send-bytes.ts'

/** No client may hold the thread longer. */
const MAX_HOLD_MS = 100

const SIZE = sizes({ requests: 2000, documents: 60 }, { requests: 20_000, documents: 1000 })

/** Documents asked for together: on a busy machine, one that is kept for a moment is older at the next request. */
const AT_ONCE = 20

/** Nearly as long as the head of a request may be. */
const LENGTH = 15_000

const lists = [
  'a,',
  ',',
  '*/*,',
  'a/b;q=0.001,',
  'fr-CA-x-a,',
  ';',
  '"a",',
  'W/"',
  '0-1,',
  'a=b; ',
  '%',
  '1',
  ' b',
  '\\"',
]

const headers = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'forwarded',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'prefer',
  'range',
  'user-agent',
  'x-forwarded-for',
  'x-request-id',
]

const paths = ['/tracks', '/docs', '/dashboard/', '/p/unknown', '/publications/unknown/images', '/operator/session']

describe('heads made to take long', async () => {
  const meter = holdMeter({ after })
  const target = await startTarget({ after }, undefined, meter.settings)
  const holdMs = async (attack: () => Promise<unknown>) => await meter.longestMs(target.pid, attack)

  /**
   * Sends requests for a long document in one packet.
   * @returns the statuses of the answers until the connection ends
   */
  async function sendAtOnce(requests: number): Promise<string[]> {
    const { hostname, port } = new URL(target.url)
    const socket = connect(Number(port), hostname)
    const statuses: string[] = []
    socket.setEncoding('latin1').on('data', (text: string) => {
      statuses.push(...(text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? []))
      // The program that answers all of them would go on for long.
      if (statuses.length === requests) socket.destroy()
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(`GET /docs HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(requests))
    await closed
    return statuses
  }

  test('requests ahead of unfinished responses are refused after the first ones', async (t) => {
    await target.read('/docs')
    let statuses: string[] = []
    const heldMs = await holdMs(async () => {
      statuses = await sendAtOnce(80)
    })

    held(t, { requests: [80, ''], answered: [statuses.length, ''], held: [heldMs, 'ms'] })
    assert.equal(statuses.pop(), '429')
    assert.ok(statuses.length <= 17 && statuses.every((status) => status === '200'), statuses.join())
    assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
  })

  test('one packet of very many requests costs the connection', async (t) => {
    let answered = 0
    const heldMs = await holdMs(async () => {
      answered = (await sendAtOnce(SIZE.requests)).length
    })

    held(t, { requests: [SIZE.requests, ''], answered: [answered, ''], held: [heldMs, 'ms'] })
    assert.ok(answered <= 17, String(answered))
    assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
  })

  test('long lists in any header are answered without holding up others', async (t) => {
    const found = new Set<number>()
    const heldMs = await holdMs(async () => {
      for (const [i, name] of headers.entries()) {
        for (const [j, list] of lists.entries()) {
          const value = list.repeat(LENGTH / list.length)
          const answer = await sendBytes(target.url + paths[(i + j) % paths.length], { headers: { [name]: value } })
          found.add(answer.status)
        }
      }
    })

    held(t, { requests: [headers.length * lists.length, ''], held: [heldMs, 'ms'] })
    assert.deepEqual(
      [...found].filter((status) => status >= 500),
      [],
    )
    assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
  })

  test('long addresses and queries are answered without holding up others', async (t) => {
    const parts = ['/a', '//', '../', '%2f', '%cc%96%cc%81', '%', '&', 'a&', 'a[]=', '=', ':', '*']
    const found = new Set<number>()
    const heldMs = await holdMs(async () => {
      for (const path of paths) {
        for (const part of parts) {
          const long = part.repeat(LENGTH / part.length)
          for (const address of [`${path}/${long}`, `${path}?${long}`, `${path}?q=${long}`]) {
            found.add((await sendBytes(target.url + address, { headers: { 'X-API-Key': target.token } })).status)
          }
        }
      }
    })

    held(t, { requests: [paths.length * parts.length * 3, ''], held: [heldMs, 'ms'] })
    assert.deepEqual(
      [...found].filter((status) => status >= 500),
      [],
    )
    assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
  })

  for (const path of ['/openapi.json', '/docs', '/metrics', '/healthz']) {
    test(`requests for ${path} cost about as much as an answer of a few bytes`, async (t) => {
      const get = async (asked: string) => {
        const answer = await sendBytes(target.url + asked, { headers: { 'Accept-Encoding': 'gzip' } })
        assert.equal(answer.status, 200)
      }
      const roundMs = async (asked: string) => {
        const before = target.usage()?.mainThreadMs ?? 0
        for (let sent = 0; sent < SIZE.documents; sent += AT_ONCE)
          await Promise.all(Array.from({ length: AT_ONCE }, () => get(asked)))
        return ((target.usage()?.mainThreadMs ?? 0) - before) / SIZE.documents
      }
      // What a document costs, it costs in each round; the garbage collector may come in any of them.
      const costMs = async (asked: string) => {
        await get(asked)
        return Math.min(await roundMs(asked), await roundMs(asked), await roundMs(asked))
      }

      const smallMs = await costMs('/robots.txt')
      const askedMs = await costMs(path)

      held(t, { 'processor time of a request': [askedMs, 'ms'], 'of a small one': [smallMs, 'ms'] })
      assert.ok(askedMs <= 3 * smallMs + 0.2, `${askedMs} ms, ${smallMs} ms`)
    })
  }
})
