import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answer, askForTicket, publishPdf, uploadPdf, type WireTicket } from '../support/publish.ts'
import { sendBytes } from '../support/send-bytes.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const MIB = 1_048_576

describePublications('Requests to publications', { on: oneDatabase }, async ({ service }) => {
  const { url, apiKey, request } = service
  const key = { 'X-Api-Key': apiKey }

  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ) => fetch(url + path, { method, headers, body, redirect: 'manual' })
  const ask = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    send('POST', '/publications/upload-url', { ...JSON_TYPE, ...key, ...headers }, body)

  test('answers 405 with Allow to a wrong method and 404 to an unknown route, before checking the key', async () => {
    const wrong: [method: string, path: string, allow: string][] = [
      ['DELETE', '/publications', 'GET, HEAD, POST'],
      ['GET', '/publications/upload-url', 'POST'],
      ['POST', '/publications/some-slug/pdf', 'GET, HEAD'],
      ['PUT', '/publications/some-slug/images', 'GET, HEAD'],
      ['DELETE', '/publications/some-slug/download', 'GET, HEAD'],
      ['GET', '/publications/some-slug/file', 'PUT'],
      ['GET', '/publications/some-slug/unpublish', 'POST'],
    ]

    for (const [method, path, allow] of wrong) {
      const refused = await send(method, path, {})
      assert.equal(refused.headers.get('allow'), allow, path)
      await readProblem(refused, 405, 'METHOD_NOT_ALLOWED')
    }
    await readProblem(await send('GET', '/publications/some-slug/nothing', {}), 404, 'NOT_FOUND')
  })

  test('checks in the order 401, 415, 413, 400, 404', async () => {
    const large = 'x'.repeat(MIB + 1)
    const text = { 'Content-Type': 'text/plain' }
    const unknown = JSON.stringify({ title: '', storageKey: 'x', pdfPath: 'x', sourceType: 'pdf' })

    await readProblem(await send('POST', '/publications', text, large), 401, 'UNAUTHORIZED')
    await readProblem(await send('POST', '/publications', { ...key, ...text }, large), 415, 'UNSUPPORTED_MEDIA_TYPE')
    await readProblem(await send('POST', '/publications', { ...key, ...JSON_TYPE }, large), 413, 'PAYLOAD_TOO_LARGE')
    await readProblem(await send('POST', '/publications', { ...key, ...JSON_TYPE }, unknown), 400, 'BAD_REQUEST')
  })

  test('answers 413 to a body of more than 1 MiB, decoded', async () => {
    const whole = `{"type":"pdf","more":"${'x'.repeat(MIB - 24)}"}`

    assert.equal(whole.length, MIB)
    assert.equal((await ask(whole)).status, 200)
    await readProblem(await ask(`${whole} `), 413, 'PAYLOAD_TOO_LARGE')
    const escapes = `{"type":"pdf","more":"${'\\n'.repeat(20_001)}"}`
    assert.match((await readProblem(await ask(escapes), 400, 'BAD_REQUEST')).detail, /more than 20000 escapes/)
    const unfolding = gzipSync(`"${' '.repeat(50 * MIB)}"`)
    await readProblem(await ask(unfolding, { 'Content-Encoding': 'gzip' }), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('accepts compressed bodies, and compresses answers', async () => {
    const body = Buffer.from('{"type":"pdf"}')
    await publishPdf(service, { title: 'x'.repeat(500) })
    await publishPdf(service, { title: 'y'.repeat(500) })

    assert.equal((await ask(gzipSync(body), { 'Content-Encoding': 'gzip' })).status, 200)
    assert.equal((await ask(zstdCompressSync(body), { 'Content-Encoding': 'zstd' })).status, 200)
    for (const coding of ['zstd', 'br', 'gzip']) {
      const listed = await sendBytes(`${url}/publications`, { headers: { ...key, 'Accept-Encoding': coding } })
      assert.equal(listed.headers['content-encoding'], coding)
    }
  })

  test('answers 400 to invalid JSON, UTF-8 and text, and skips a byte order mark', async () => {
    const refused = [
      '',
      '{',
      '[]',
      'null',
      '{"type":"pdf","more":"\\ud800"}',
      '{"type":"pdf","more":"\\u0000"}',
      Buffer.from('{"type":"pdf","more":"\xff"}', 'latin1'),
    ]

    for (const body of refused) await readProblem(await ask(body), 400, 'BAD_REQUEST')
    assert.equal((await ask('\ufeff{"type":"pdf"}')).status, 200)
  })

  test('every answer has a request id, the one that was sent or a new one', async () => {
    const { slug } = await publishPdf(service)
    const { uploadUrl } = await askForTicket(service)
    const { url: file } = await answer<{ url: string }>(await request('GET', `/publications/${slug}/pdf`), 200)
    const { images } = await answer<{ images: string[] }>(await request('GET', `/publications/${slug}/images`), 200)
    const places: [method: string, path: string][] = [
      ['GET', '/publications'],
      ['GET', '/nothing'],
      ['DELETE', '/publications'],
      ['GET', `/publications/${slug}/pdf`],
      ['GET', `/publications/${slug}/images`],
      ['GET', `/publications/${slug}/download`],
      ['GET', `/publications/${slug}/events`],
      ['GET', `/p/${slug}`],
      ['GET', '/p/nothing'],
      ['GET', '/p/%'],
      ['GET', file.slice(url.length)],
      ['GET', images[0].slice(url.length)],
      ['PUT', uploadUrl.slice(url.length)],
      ['OPTIONS', '/publications'],
    ]

    for (const [method, path] of places) {
      const [given, made] = [
        await send(method, path, { 'X-Request-Id': 'find-me-again' }),
        await send(method, path, {}),
      ]
      assert.equal(given.headers.get('x-request-id'), 'find-me-again', path)
      assert.match(made.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/, path)
      await Promise.all([given.body?.cancel(), made.body?.cancel()])
    }
  })

  test('an Idempotency-Key belongs to a workspace and an operation', async () => {
    const other = await service.createWorkspace('Other')
    const repeated = { 'Idempotency-Key': 'once' }
    const ticket = (apiKey: string) => ask('{"type":"pdf"}', { ...repeated, 'X-Api-Key': apiKey })
    const body = await uploadPdf(service)

    const [first, again] = [await answer<WireTicket>(await ticket(apiKey), 200), await ticket(apiKey)]
    const theirs = await answer<WireTicket>(await ticket(other.api_key), 200)
    const created = await request('POST', '/publications', body, repeated)

    assert.deepEqual(await answer(again, 200), first)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.notEqual(theirs.storageKey, first.storageKey)
    assert.equal(created.status, 201)
    await readProblem(await ask('{"type":"pdf"} ', repeated), 422, 'UNPROCESSABLE')
  })

  test('answers 404 to invalid slugs', async () => {
    const slugs = [
      '%00',
      '%',
      '%ff',
      '%F0%9F%98%80',
      '..%2f..%2fetc%2fpasswd',
      '%2f%2fevil.example',
      'a%0d%0aLocation:%20x',
      'x'.repeat(5_000),
      '__proto__',
      'constructor',
    ]

    for (const slug of slugs) {
      for (const path of [`/publications/${slug}`, `/publications/${slug}/pdf`, `/publications/${slug}/download`])
        await readProblem(await send('GET', path, {}), 404, 'NOT_FOUND')
      await readProblem(await send('DELETE', `/publications/${slug}`, key), 404, 'NOT_FOUND')
      const page = await send('GET', `/p/${slug}`, {})
      assert.deepEqual([page.status, page.headers.get('location')], [404, null])
    }
  })
})
