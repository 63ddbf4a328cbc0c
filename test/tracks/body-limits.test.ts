import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { databases } from '../support/databases.ts'
import { type BytesAnswer, sendBytes } from '../support/send-bytes.ts'
import { startService } from '../support/start-service.ts'

const MIB = 1_048_576
const LIMIT = 64 * MIB

/** A valid body of exactly so many bytes; white space makes it up. */
function paddedBody(bytes: number): Buffer {
  const json = JSON.stringify({ device_track_id: randomUUID() })
  return Buffer.concat([Buffer.from(json), Buffer.alloc(bytes - json.length, ' ')])
}

for (const database of databases) {
  describe(`Sizes of bodies on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['tracks'] })
    const json = { 'X-API-Key': service.token, 'Content-Type': 'application/json' }

    const post = async (body: Buffer | Iterable<Buffer>, headers = {}) =>
      await sendBytes(`${service.url}/tracks`, { method: 'POST', headers: { ...json, ...headers }, body })

    function assertTooLarge(answer: BytesAnswer) {
      assert.equal(answer.status, 413)
      assert.equal(JSON.parse(answer.body.toString()).code, 'PAYLOAD_TOO_LARGE')
    }

    test('64 MiB are taken, one byte more is 413', async () => {
      assert.equal((await post(paddedBody(LIMIT))).status, 201)
      assertTooLarge(await post(paddedBody(LIMIT + 1)))
    })

    test('a larger body is refused by its Content-Length, before it comes', async () => {
      const headers = { ...json, 'Content-Length': String(10_000 * MIB) }

      assertTooLarge(await sendBytes(`${service.url}/tracks`, { method: 'POST', headers, body: [Buffer.from('{')] }))
    })

    test('a body that comes in pieces is refused when it passes the limit', async () => {
      const piece = Buffer.alloc(MIB, ' ')

      assertTooLarge(await post(Array(70).fill(piece)))
    })

    test('the limit is for the decoded body, however small it comes', async () => {
      const bomb = Buffer.alloc(80 * MIB, ' ')

      assertTooLarge(await post(gzipSync(bomb), { 'Content-Encoding': 'gzip' }))
      assertTooLarge(await post(zstdCompressSync(bomb), { 'Content-Encoding': 'zstd' }))
    })

    test('the next request is answered as ever', async () => {
      assertTooLarge(await post(Array(66).fill(Buffer.alloc(MIB, ' '))))

      assert.equal((await service.request('POST', '/tracks', { device_track_id: randomUUID() })).status, 201)
    })
  })
}
