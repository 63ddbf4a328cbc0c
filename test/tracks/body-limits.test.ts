import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { databases } from '../support/databases.ts'
import { type BytesAnswer, sendBytes } from '../support/send-bytes.ts'
import { startService } from '../support/start-service.ts'

const MIB = 1_048_576
const LIMIT = 64 * MIB

/** Returns a valid body of exactly this many bytes, padded with white space. */
function paddedBody(value: unknown, bytes: number): Buffer {
  const json = JSON.stringify(value)
  return Buffer.concat([Buffer.from(json), Buffer.alloc(bytes - json.length, ' ')])
}

// Bodies are read before any database is asked.
const [database] = databases

describe('Body limits', async () => {
  const service = await startService({ after }, database, { services: ['tracks'] })
  const json = { 'X-API-Key': service.token, 'Content-Type': 'application/json' }

  const post = async (path: string, body: Buffer | Iterable<Buffer>, headers = {}) =>
    await sendBytes(service.url + path, { method: 'POST', headers: { ...json, ...headers }, body })
  const newTrack = () => ({ device_track_id: randomUUID() })
  const newSync = () => ({ track: newTrack(), points: [] })

  function assertTooLarge(answer: BytesAnswer) {
    assert.equal(answer.status, 413)
    assert.equal(JSON.parse(answer.body.toString()).code, 'PAYLOAD_TOO_LARGE')
  }

  test('accept 64 MiB with points, and answer 413 for one byte more', async () => {
    assert.equal((await post('/sync', paddedBody(newSync(), LIMIT))).status, 201)
    assertTooLarge(await post('/sync', paddedBody(newSync(), LIMIT + 1)))
  })

  test('accept 1 MiB without points, and answer 413 for one byte more', async () => {
    assert.equal((await post('/tracks', paddedBody(newTrack(), MIB))).status, 201)
    assertTooLarge(await post('/tracks', paddedBody(newTrack(), MIB + 1)))
  })

  test('accept few values and escapes without points, since many take long to parse', async () => {
    const withMore = (more: string) =>
      post('/tracks', Buffer.from(`{"device_track_id":"${randomUUID()}","more":${more}}`))
    const escapes = (count: number) => `"${'\\n'.repeat(count)}"`
    const values = (count: number) => `[${'0,'.repeat(count - 1)}0]`

    const statuses = [escapes(20_000), escapes(20_001), values(4_990), values(5_000)].map(
      async (more) => (await withMore(more)).status,
    )

    assert.deepEqual(await Promise.all(statuses), [201, 400, 201, 400])
  })

  test('refuse a larger body by its Content-Length, before it is sent', async () => {
    const headers = { 'Content-Length': String(10_000 * MIB) }

    assertTooLarge(await post('/sync', [Buffer.from('{')], headers))
  })

  test('refuse a chunked body as soon as it exceeds the limit', async () => {
    const piece = Buffer.alloc(MIB, ' ')

    assertTooLarge(await post('/sync', Array(70).fill(piece)))
  })

  test('apply to the decompressed body', async () => {
    const bomb = Buffer.alloc(2 * MIB, ' ')

    assertTooLarge(await post('/tracks', gzipSync(bomb), { 'Content-Encoding': 'gzip' }))
    assertTooLarge(await post('/tracks', zstdCompressSync(bomb), { 'Content-Encoding': 'zstd' }))
  })

  test('refuse a body that unfolds by more than 100:1 above 1 MiB', async () => {
    const bomb = paddedBody(newSync(), 3 * MIB)

    for (const [encoding, compressed] of Object.entries({ gzip: gzipSync(bomb), zstd: zstdCompressSync(bomb) })) {
      const answer = await post('/sync', compressed, { 'Content-Encoding': encoding })

      assertTooLarge(answer)
      assert.equal(JSON.parse(answer.body.toString()).detail, 'The body unfolds by more than 100:1 above 1 MiB.')
    }
  })

  test('accept any ratio up to 1 MiB, and lower ratios beyond', async () => {
    const small = zstdCompressSync(paddedBody(newSync(), MIB))
    const noise = randomBytes(MIB / 16).toString('base64')
    const large = zstdCompressSync(paddedBody({ ...newSync(), noise }, 4 * MIB))

    assert.equal((await post('/sync', small, { 'Content-Encoding': 'zstd' })).status, 201)
    assert.equal((await post('/sync', large, { 'Content-Encoding': 'zstd' })).status, 201)
  })

  test('do not affect the next request', async () => {
    assertTooLarge(await post('/sync', Array(66).fill(Buffer.alloc(MIB, ' '))))

    assert.equal((await service.request('POST', '/tracks', { device_track_id: randomUUID() })).status, 201)
  })
})
