import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { databases } from '../support/databases.ts'
import { type BytesAnswer, sendBytes } from '../support/send-bytes.ts'
import { startService } from '../support/start-service.ts'

const MIB = 1_048_576
const LIMIT = 64 * MIB

/** Returns a valid body of exactly this many bytes, padded with white space. */
function paddedBody(bytes: number): Buffer {
  const json = JSON.stringify({ device_track_id: randomUUID() })
  return Buffer.concat([Buffer.from(json), Buffer.alloc(bytes - json.length, ' ')])
}

for (const database of databases) {
  describe(`Body limits on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['tracks'] })
    const json = { 'X-API-Key': service.token, 'Content-Type': 'application/json' }

    const post = async (body: Buffer | Iterable<Buffer>, headers = {}) =>
      await sendBytes(`${service.url}/tracks`, { method: 'POST', headers: { ...json, ...headers }, body })

    function assertTooLarge(answer: BytesAnswer) {
      assert.equal(answer.status, 413)
      assert.equal(JSON.parse(answer.body.toString()).code, 'PAYLOAD_TOO_LARGE')
    }

    test('accept 64 MiB, and answer 413 for one byte more', async () => {
      assert.equal((await post(paddedBody(LIMIT))).status, 201)
      assertTooLarge(await post(paddedBody(LIMIT + 1)))
    })

    test('refuse a larger body by its Content-Length, before it is sent', async () => {
      const headers = { ...json, 'Content-Length': String(10_000 * MIB) }

      assertTooLarge(await sendBytes(`${service.url}/tracks`, { method: 'POST', headers, body: [Buffer.from('{')] }))
    })

    test('refuse a chunked body as soon as it exceeds the limit', async () => {
      const piece = Buffer.alloc(MIB, ' ')

      assertTooLarge(await post(Array(70).fill(piece)))
    })

    test('apply to the decompressed body', async () => {
      const bomb = Buffer.alloc(80 * MIB, ' ')

      assertTooLarge(await post(gzipSync(bomb), { 'Content-Encoding': 'gzip' }))
      assertTooLarge(await post(zstdCompressSync(bomb), { 'Content-Encoding': 'zstd' }))
    })

    test('do not affect the next request', async () => {
      assertTooLarge(await post(Array(66).fill(Buffer.alloc(MIB, ' '))))

      assert.equal((await service.request('POST', '/tracks', { device_track_id: randomUUID() })).status, 201)
    })
  })
}
