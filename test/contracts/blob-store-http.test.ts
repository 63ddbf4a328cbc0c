import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { createLogger } from '#platform/basics/logger.ts'
import { isBlobsUnavailable } from '#platform/blobs/blob-failure.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { createHttpServer } from '#platform/http/create-http-server.ts'
import { createHttpMetrics } from '#platform/http/http-metrics.ts'
import { sendBlob } from '#platform/http/ranges.ts'
import { blobStores, connectTestBlobs, type TestBlobStore } from '../support/blob-stores.ts'
import { rejection } from '../support/rejection.ts'

const HEADERS = {
  'content-type': 'application/pdf',
  'content-disposition': 'inline; filename="a.pdf"',
  'cache-control': 'private, max-age=60',
}
const LARGE_BYTES = 20_000_000

for (const blobs of blobStores) {
  describe(`sendBlob from ${blobs.name}`, () => {
    test('sends the whole blob with its headers', async (t) => {
      const { request } = await serve(t, blobs)

      const answer = await request('/digits')

      assert.equal(answer.status, 200)
      assert.equal(answer.text, '0123456789')
      for (const [name, value] of Object.entries(HEADERS)) assert.equal(answer.headers.get(name), value)
      assert.equal(answer.headers.get('content-length'), '10')
      assert.equal(answer.headers.get('accept-ranges'), 'bytes')
      assert.equal(answer.headers.get('etag'), '"v1"')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(answer.headers.get('content-encoding'), null)
      assert.equal(answer.headers.get('content-range'), null)
    })

    test('sends the requested range', async (t) => {
      const { request } = await serve(t, blobs)

      const answers = await Promise.all(
        ['bytes=0-0', 'bytes=2-4', 'bytes=7-', 'bytes=-2'].map((range) => request('/digits', { range })),
      )

      assert.deepEqual(
        answers.map(({ status, text, headers }) => [status, text, headers.get('content-range'), headers.get('etag')]),
        [
          [206, '0', 'bytes 0-0/10', '"v1"'],
          [206, '234', 'bytes 2-4/10', '"v1"'],
          [206, '789', 'bytes 7-9/10', '"v1"'],
          [206, '89', 'bytes 8-9/10', '"v1"'],
        ],
      )
      assert.equal(answers[1].headers.get('content-length'), '3')
      assert.equal(answers[1].headers.get('content-type'), 'application/pdf')
    })

    test('sends the whole blob for several ranges, and if If-Range does not match', async (t) => {
      const { request } = await serve(t, blobs)

      const answers = [
        await request('/digits', { range: 'bytes=0-1,4-5' }),
        await request('/digits', { range: 'bytes=0-1', 'if-range': '"v0"' }),
      ]

      assert.deepEqual(
        answers.map(({ status, text }) => [status, text]),
        [
          [200, '0123456789'],
          [200, '0123456789'],
        ],
      )
    })

    test('answers 416 with the size for a range outside of the blob', async (t) => {
      const { request } = await serve(t, blobs)

      const answer = await request('/digits', { range: 'bytes=10-' })

      assert.equal(answer.status, 416)
      assert.equal(answer.headers.get('content-range'), 'bytes */10')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(JSON.parse(answer.text).code, 'RANGE_NOT_SATISFIABLE')
    })

    test('answers 304 without content for a matching ETag, and 412 for a failed precondition', async (t) => {
      const { request } = await serve(t, blobs)

      const notModified = await request('/digits', { 'if-none-match': '"v1"' })
      const failed = await request('/digits', { 'if-match': '"v0"' })

      assert.equal(notModified.status, 304)
      assert.equal(notModified.text, '')
      assert.equal(notModified.headers.get('etag'), '"v1"')
      assert.equal(notModified.headers.get('cache-control'), HEADERS['cache-control'])
      assert.equal(notModified.headers.get('content-type'), null)
      assert.equal(failed.status, 412)
      assert.equal(JSON.parse(failed.text).code, 'PRECONDITION_FAILED')
    })

    test('answers HEAD like GET, without the bytes, and ignores the range', async (t) => {
      const { request } = await serve(t, blobs)

      const answers = [
        await request('/digits', {}, 'HEAD'),
        await request('/digits', { range: 'bytes=1-2' }, 'HEAD'),
        await request('/empty', {}, 'HEAD'),
      ]

      assert.deepEqual(
        answers.map(({ status, text, headers }) => [status, text, headers.get('content-length'), headers.get('etag')]),
        [
          [200, '', '10', '"v1"'],
          [200, '', '10', '"v1"'],
          [200, '', '0', '"v1"'],
        ],
      )
    })

    test('sends an empty blob, and answers 416 to a range from its first byte', async (t) => {
      const { request } = await serve(t, blobs)

      const whole = await request('/empty')
      const part = await request('/empty', { range: 'bytes=0-' })
      const last = await request('/empty', { range: 'bytes=-5' })

      assert.deepEqual([whole.status, whole.text, whole.headers.get('content-length')], [200, '', '0'])
      assert.deepEqual([part.status, part.headers.get('content-range')], [416, 'bytes */0'])
      assert.deepEqual([last.status, last.text], [200, ''])
    })

    test('answers 404 for a missing blob, without its headers', async (t) => {
      const { request } = await serve(t, blobs)

      const answers = [await request('/missing'), await request('/missing?size=10')]

      for (const answer of answers) {
        assert.equal(answer.status, 404)
        assert.equal(answer.headers.get('etag'), null)
        assert.equal(answer.headers.get('content-disposition'), null)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
      }
    })

    test('does not ask the store for a size that is given', async (t) => {
      const { request, heads } = await serve(t, blobs)

      const answer = await request('/digits?size=10')

      assert.equal(answer.text, '0123456789')
      assert.equal(heads(), 0)
    })

    test('does not access the store if the bytes are given', async (t) => {
      const { request, heads, streams } = await serve(t, blobs)

      const answers = [
        await request('/cached?bytes=abcdef'),
        await request('/cached?bytes=abcdef', { range: 'bytes=1-3' }),
        await request('/cached?bytes=abcdef', {}, 'HEAD'),
      ]

      assert.deepEqual(
        answers.map(({ status, text, headers }) => [status, text, headers.get('content-length')]),
        [
          [200, 'abcdef', '6'],
          [206, 'bcd', '3'],
          [200, '', '6'],
        ],
      )
      assert.equal(heads() + streams.length, 0)
    })

    test('stops reading when the client disconnects', async (t) => {
      const { url, streams } = await serve(t, blobs, { large: 'x'.repeat(LARGE_BYTES) })

      const leaving = get(`${url}/large`)
      const [answer] = (await once(leaving, 'response')) as [IncomingMessage]
      await once(answer, 'readable')
      answer.read(1)
      answer.destroy()

      const [stream] = streams
      if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve))
      assert.equal(stream.destroyed, true)
      assert.equal(stream.readableEnded, false)
    })

    test('sends a large blob completely', async (t) => {
      const { request } = await serve(t, blobs, { large: 'x'.repeat(LARGE_BYTES) })

      const answer = await request('/large')

      assert.equal(answer.text.length, LARGE_BYTES)
      assert.equal(answer.text, 'x'.repeat(LARGE_BYTES))
    })
  })
}

for (const blobs of blobStores) {
  describe(`An upload to ${blobs.name}`, () => {
    for (const sentBytes of [100_000, 10_000_000]) {
      test(`leaves nothing if the client disconnects after ${sentBytes} bytes`, async (t) => {
        const store = await connectTestBlobs(t, blobs)
        const drafted = Promise.withResolvers<Error | undefined>()
        let arrivedBytes = 0
        const server = createServer((request) => {
          request.on('data', (chunk: Buffer) => {
            arrivedBytes += chunk.length
            if (arrivedBytes === sentBytes) upload.destroy()
          })
          drafted.resolve(rejection(store.draft(request)))
        })
        await once(server.listen(0, '127.0.0.1'), 'listening')
        t.after(() => server.close())

        const { port } = server.address() as AddressInfo
        const upload = connect(port, '127.0.0.1')
        upload.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n')
        upload.write(Buffer.alloc(sentBytes))

        const error = (await drafted.promise) as NodeJS.ErrnoException
        assert.equal(error.code, 'ECONNRESET')
        assert.equal(isBlobsUnavailable(error), false)
        assert.equal(await store.sweepDrafts(-2000), 0)
      })
    }
  })
}

/** Serves the blobs `digits`, `empty` and those given, and records what is read. */
async function serve(t: TestContext, blobs: TestBlobStore, more: Record<string, string> = {}) {
  const store = await connectTestBlobs(t, blobs)
  for (const [key, content] of Object.entries({ digits: '0123456789', empty: '', ...more }))
    await (await store.draft(Readable.from([Buffer.from(content)]))).commit(key)
  const streams: Readable[] = []
  let heads = 0
  const watched: BlobStore = {
    ...store,
    head: (key) => {
      heads++
      return store.head(key)
    },
    read: async (key, range) => {
      const stream = await store.read(key, range)
      if (stream !== undefined) streams.push(stream)
      return stream
    },
  }

  const logger = createLogger('silent')
  const app = await createHttpServer({ logger, metrics: createHttpMetrics(), trustedProxies: [], formats: {} })
  app.get<{ Params: { key: string }; Querystring: { size?: string; bytes?: string } }>('/:key', (request, reply) => {
    const { size, bytes } = request.query
    const known = {
      ...(size === undefined ? {} : { size: Number(size) }),
      ...(bytes === undefined ? {} : { bytes: Buffer.from(bytes) }),
    }
    return sendBlob(request, reply, watched, { key: request.params.key, etag: 'v1', headers: HEADERS, ...known })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  return {
    url,
    streams,
    heads: () => heads,
    async request(path: string, headers: Record<string, string> = {}, method = 'GET') {
      const answer = await fetch(url + path, { method, headers: { 'accept-encoding': 'gzip, br', ...headers } })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    },
  }
}
