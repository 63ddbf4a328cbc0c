import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { holdMeter } from '../support/attack/hold.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePoints } from '../support/make-points.ts'
import { sendBytes } from '../support/send-bytes.ts'

const MIB = 1_048_576

/** No client may hold the thread longer. */
const MAX_HOLD_MS = 100

const SIZE = sizes(
  { bytes: 2 * MIB, bombBytes: 16 * MIB, badPoints: 2000 },
  { bytes: 63 * MIB, bombBytes: 64 * MIB, badPoints: 10_000 },
)

/** Accents in an order that normalising has to change, which takes it quadratic time. */
const ACCENTS = '\u0316\u0301'

function repeated(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / Buffer.byteLength(text)))
}

/** An object with as many keys, each of its own, as fit. */
function ownKeys(bytes: number): string {
  return `{${Array.from({ length: Math.floor(bytes / 13) }, (_, i) => `"${i.toString(36).padStart(6, 'k')}":0`).join()}}`
}

/** Bodies that are made to take long, with what the server answers to them. */
const bodies: Record<string, (bytes: number) => string | Buffer> = {
  'line breaks before a stray letter': (bytes) => `${repeated('\n', bytes)}x`,
  'white space': (bytes) => repeated(' ', bytes),
  commas: (bytes) => repeated(',', bytes),
  'empty lists that do not end': (bytes) => `[${repeated('[],', bytes)}`,
  'empty objects': (bytes) => `{"points":[${repeated('{},', bytes)}{}]}`,
  'objects with keys of their own': (bytes) => `{"points":[${ownKeys(bytes)}]}`,
  'a key repeated': (bytes) => `{${repeated('"points":0,', bytes)}"points":0}`,
  'a long key': (bytes) => `{"${repeated('k', bytes)}":0}`,
  nesting: (bytes) => repeated('[', bytes),
  'lists nested as deeply as allowed': (bytes) => `[${repeated(`${'['.repeat(60)}${']'.repeat(60)},`, bytes)}0]`,
  'a long text': (bytes) => `{"points":["${repeated('a', bytes)}"]}`,
  'quotation marks': (bytes) => `["${repeated('\\"', bytes)}`,
  'escapes before half a character': (bytes) => `["${repeated('\\n', bytes)}\\ud83d"]`,
  'a long number': (bytes) => `{"points":[${repeated('1', bytes)}]}`,
  'large numbers': (bytes) => `{"points":[${repeated('1.7976931348623157e308,', bytes)}0]}`,
  'text that is not UTF-8': (bytes) => Buffer.concat([Buffer.alloc(bytes, 'a'), Buffer.from([0xff])]),
  'UTF-16': (bytes) => Buffer.from(`\ufeff${repeated('[]', bytes / 2)}`, 'utf16le'),
  'points with a long unknown field': (bytes) => `{"points":[{"x":"${repeated('a', bytes)}"}]}`,
}

describe('bodies made to take long', async () => {
  const meter = holdMeter({ after })
  const target = await startTarget({ after }, undefined, meter.settings)
  const holdMs = async (attack: () => Promise<unknown>) => await meter.longestMs(target.pid, attack)
  const trackId = await target.tracks.create()
  const json = { 'X-API-Key': target.token, 'Content-Type': 'application/json' }
  const post = async (path: string, body: string | Buffer, headers = {}) =>
    await sendBytes(target.url + path, { method: 'POST', headers: { ...json, ...headers }, body: Buffer.from(body) })

  for (const [name, bodyOf] of Object.entries(bodies)) {
    test(`a body of ${name} is refused without holding up others`, async (t) => {
      const long = bodyOf(SIZE.bytes)
      const short = bodyOf(MIB - 1000)
      const answers: number[] = []

      const pointsMs = await holdMs(async () => answers.push((await post(`/tracks/${trackId}/points`, long)).status))
      const syncMs = await holdMs(async () => answers.push((await post('/sync', long)).status))
      const trackMs = await holdMs(async () => answers.push((await post('/tracks', short)).status))

      assert.deepEqual(answers, [400, 400, 400])
      held(t, { points: [pointsMs, 'ms'], sync: [syncMs, 'ms'], track: [trackMs, 'ms'] })
      assert.ok(Math.max(pointsMs, syncMs, trackMs) <= MAX_HOLD_MS, `${pointsMs}, ${syncMs}, ${trackMs} ms`)
    })
  }

  test('a compressed body of line breaks is refused as it unfolds', async (t) => {
    const body = Buffer.from(bodies['line breaks before a stray letter'](SIZE.bombBytes))
    const packed = { zstd: zstdCompressSync(body), gzip: gzipSync(body) }
    for (const [encoding, bytes] of Object.entries(packed)) {
      let answer: Awaited<ReturnType<typeof post>> | undefined
      const heldMs = await holdMs(async () => {
        answer = await post(`/tracks/${trackId}/points`, bytes, { 'Content-Encoding': encoding })
      })

      assert.equal(answer!.status, 413)
      assert.match(JSON.parse(answer!.body.toString()).detail, /100:1 above 1 MiB/)
      held(t, { [`bytes of ${encoding}`]: [bytes.length, ''], held: [heldMs, 'ms'] })
      assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
    }
  })

  test('thousands of bad points are refused with their first errors', async (t) => {
    const bad = { latitude: 'x', longitude: 999, timestamp: 1, altitude: {}, accuracy: [], battery: 2, origin: 'x' }
    const body = JSON.stringify({ points: Array(SIZE.badPoints).fill(bad) })
    let answer: Awaited<ReturnType<typeof post>> | undefined
    const heldMs = await holdMs(async () => {
      answer = await post(`/tracks/${trackId}/points`, body)
    })

    const problem = JSON.parse(answer!.body.toString())
    assert.equal(problem.errors.length, 20)
    assert.ok(problem.detail.endsWith(`(and ${SIZE.badPoints * 7 - 1} more)`), problem.detail)
    held(t, { held: [heldMs, 'ms'] })
    assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
  })

  test('the largest valid requests are stored without holding up others', async (t) => {
    const oneTime = makePoints(10_000).map((point, i) => ({
      ...point,
      timestamp: '2026-11-21T10:00:00Z',
      heading: 359 - (i % 360),
    }))
    const newId = await target.tracks.create()
    const sync = JSON.stringify({
      track: { device_track_id: randomUUID() },
      points: makePoints(50_000),
      note: 'x'.repeat(SIZE.bytes / 2),
    })
    const answers: number[] = []

    const pointsMs = await holdMs(async () =>
      answers.push((await post(`/tracks/${newId}/points`, JSON.stringify({ points: oneTime }))).status),
    )
    const syncMs = await holdMs(async () => answers.push((await post('/sync', sync)).status))

    assert.deepEqual(answers, [204, 201])
    held(t, { '10,000 points of one time': [pointsMs, 'ms'], '50,000 points': [syncMs, 'ms'] })
    assert.ok(Math.max(pointsMs, syncMs) <= MAX_HOLD_MS, `${pointsMs}, ${syncMs} ms`)
  })

  test('a sync with a long track is refused, and not checked field by field', async (t) => {
    const body = JSON.stringify({ track: { device_track_id: 'a', title: 'x'.repeat(SIZE.bytes) }, points: [] })
    let status = 0
    const heldMs = await holdMs(async () => {
      status = (await post('/sync', body)).status
    })

    assert.equal(status, 413)
    held(t, { held: [heldMs, 'ms'] })
    assert.ok(heldMs <= MAX_HOLD_MS, `${heldMs} ms`)
  })

  test('a path of accents is refused before it is normalised', async (t) => {
    const accents = repeated(ACCENTS, MIB - 1000)
    const owner = { 'X-API-Key': target.apiKey }
    const ticket = await target.publish('POST', '/publications/upload-url', { type: 'pdf' })
    const { storageKey } = (await ticket.json()) as { storageKey: string }
    const create = { title: 'Plan', storageKey, pdfPath: accents, sourceType: 'pdf' }
    const answers: number[] = []

    const ticketMs = await holdMs(async () =>
      answers.push(
        (await post('/publications/upload-url', JSON.stringify({ type: 'pdf', path: accents }), owner)).status,
      ),
    )
    const createMs = await holdMs(async () =>
      answers.push((await post('/publications', JSON.stringify(create), owner)).status),
    )

    assert.deepEqual(answers, [400, 400])
    held(t, { ticket: [ticketMs, 'ms'], publication: [createMs, 'ms'] })
    assert.ok(Math.max(ticketMs, createMs) <= MAX_HOLD_MS, `${ticketMs}, ${createMs} ms`)
  })

  test('many malformed bodies at once are refused while a phone goes on', async (t) => {
    const body = bodies['empty lists that do not end'](MIB)
    const probe = await target.probe()

    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => (await post(`/tracks/${trackId}/points`, body)).status),
    )

    const bystanders = await probe.stop()
    assert.ok(
      answers.every((status) => status === 400 || status === 503),
      answers.join(),
    )
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    held(t, {
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
      'longest wait of /healthz': [bystanders.health.longestMs, 'ms'],
    })
  })
})
