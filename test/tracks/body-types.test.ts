import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { sendBytes } from '../support/send-bytes.ts'

describeTracks('Content types and compression', { on: oneDatabase }, async ({ service, tracks }) => {
  const key = { 'X-API-Key': service.token }
  const json = { ...key, 'Content-Type': 'application/json' }

  const post = async (path: string, headers: Record<string, string>, body: Buffer | string) =>
    await sendBytes(service.url + path, { method: 'POST', headers, body })
  const fresh = () => JSON.stringify({ device_track_id: randomUUID() })

  test('accepts JSON with parameters and in any case', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      assert.equal((await post('/tracks', { ...key, 'Content-Type': type }, fresh())).status, 201)
    }
  })

  test('answers 415 for a body of another type or without a type', async () => {
    const types = [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/geo+json',
      'application/jsonp',
      '*/*',
      'json',
    ]
    const id = await tracks.create()

    for (const path of ['/tracks', '/sync', `/tracks/${id}/points`]) {
      for (const type of types) {
        const answer = await post(path, { ...key, 'Content-Type': type }, fresh())

        assert.equal(answer.status, 415, type)
        assert.equal(JSON.parse(answer.body.toString()).code, 'UNSUPPORTED_MEDIA_TYPE')
      }
      assert.equal((await post(path, key, fresh())).status, 415)
    }
    const patched = await sendBytes(`${service.url}/tracks/${id}`, {
      method: 'PATCH',
      headers: key,
      body: '{"title":"x"}',
    })
    assert.equal(patched.status, 415)
  })

  test('ignores the type of an absent body', async () => {
    const id = await tracks.create()

    for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/json']) {
      const headers = { ...key, 'Content-Type': type }
      assert.equal((await post(`/tracks/${id}/finish`, headers, '')).status, 200)
      assert.equal((await post('/tracks', headers, '')).status, 400)
    }
  })

  test('accepts bodies compressed with gzip or zstd', async () => {
    const points = makePoints(500)
    const body = JSON.stringify({ points })
    const encodings: [name: string, bytes: Buffer][] = [
      ['gzip', gzipSync(body)],
      ['x-gzip', gzipSync(body)],
      ['GZip', gzipSync(body)],
      ['zstd', zstdCompressSync(body)],
      ['identity', Buffer.from(body)],
    ]

    for (const [encoding, bytes] of encodings) {
      const id = await tracks.create()
      const answer = await post(`/tracks/${id}/points`, { ...json, 'Content-Encoding': encoding }, bytes)

      assert.equal(answer.status, 204, encoding)
      assert.deepEqual((await tracks.points(id)).points, points)
    }
  })

  test('answers 415 for another Content-Encoding', async () => {
    const body = fresh()
    const encodings: [name: string, bytes: Buffer][] = [
      ['br', brotliCompressSync(body)],
      ['deflate', deflateSync(body)],
      ['compress', Buffer.from(body)],
      ['gzip, gzip', gzipSync(gzipSync(body))],
    ]

    for (const [encoding, bytes] of encodings) {
      const answer = await post('/tracks', { ...json, 'Content-Encoding': encoding }, bytes)

      assert.equal(answer.status, 415, encoding)
      assert.equal(answer.headers['accept-encoding'], 'gzip, zstd')
    }
  })

  test('answers 400 for corrupt or truncated compression', async () => {
    const body = JSON.stringify({ device_track_id: randomUUID(), unknown: randomUUID().repeat(20) })

    for (const [encoding, bytes] of [
      ['gzip', gzipSync(body)],
      ['zstd', zstdCompressSync(body)],
    ] as const) {
      const headers = { ...json, 'Content-Encoding': encoding }
      const altered = Buffer.from(bytes)
      altered[0] ^= 0xff

      for (const wrong of [altered, bytes.subarray(0, bytes.length - 12), Buffer.from(body)]) {
        const answer = await post('/tracks', headers, wrong)

        assert.equal(answer.status, 400, encoding)
        assert.equal(JSON.parse(answer.body.toString()).code, 'BAD_REQUEST')
      }
    }
  })

  test('compresses answers with zstd, br or gzip according to Accept-Encoding', async () => {
    const id = await tracks.sync({ points: makePoints(3000) })
    const plain = await (await service.request('GET', `/tracks/${id}/points`)).text()
    const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
    const accepted: [accept: string, encoding: keyof typeof decoders | undefined][] = [
      ['zstd', 'zstd'],
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['identity', undefined],
    ]

    for (const [accept, encoding] of accepted) {
      const answer = await sendBytes(`${service.url}/tracks/${id}/points`, {
        headers: { ...key, 'Accept-Encoding': accept },
      })

      assert.equal(answer.headers['content-encoding'], encoding, accept)
      const text = encoding === undefined ? answer.body : decoders[encoding](answer.body)
      assert.equal(text.toString(), plain)
      if (encoding !== undefined) assert.match(answer.headers.vary ?? '', /accept-encoding/i)
    }
  })
})
