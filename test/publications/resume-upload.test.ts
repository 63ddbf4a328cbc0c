import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { describePlaces } from '../support/publication-places.ts'
import { type BytesAnswer, sendBytes } from '../support/send-bytes.ts'
import { storedFiles } from '../support/stored-files.ts'
import { startTcpProxy, throughProxy } from '../support/tcp-proxy.ts'
import { uploadByTus } from '../support/tus-upload.ts'
import { pdfOfSize, refusal, uploadRequests } from '../support/upload-requests.ts'

/** Larger than two parts of an S3 upload. */
const FILE = pdfOfSize(17_000_003)
const LIMIT_BYTES = 24_000_000
const HOUR_MS = 3_600_000
const TUS = { 'Tus-Resumable': '1.0.0' }

describePlaces('An upload by tus', { MAX_UPLOAD_BYTES: String(LIMIT_BYTES) }, async ({ service, once }) => {
  const { deps } = service.server.publications!
  const { ticket, put } = uploadRequests(service)
  const { documents, drafts } = storedFiles(service)

  const head = (uploadUrl: string) => sendBytes(uploadUrl, { method: 'HEAD', headers: TUS })
  const patch = (uploadUrl: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
    sendBytes(uploadUrl, { method: 'PATCH', headers: { ...patchHeaders(offset), ...headers }, body })
  const storedBytes = async ({ storageKey }: { storageKey: string }) => {
    const upload = (await deps.uploads.find(service.workspaceId, storageKey))!
    const bytes = Buffer.concat(await (await deps.blobs.read(upload.blob_key!))!.toArray())
    assert.equal(upload.sha256, createHash('sha256').update(bytes).digest('hex'))
    return bytes
  }

  test('tells with OPTIONS what it can do, pages of other origins as well', async () => {
    const { uploadUrl } = await ticket()

    const { status, headers } = await sendBytes(uploadUrl, { method: 'OPTIONS' })

    assert.equal(status, 204)
    assert.equal(headers['tus-version'], '1.0.0')
    assert.equal(headers['tus-extension'], 'expiration,checksum')
    assert.equal(headers['tus-max-size'], String(LIMIT_BYTES))
    assert.match(headers['tus-checksum-algorithm'] as string, /\bsha1\b/)
    for (const name of ['Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Checksum'])
      assert.match(headers['access-control-allow-headers'] as string, new RegExp(name))
  })

  test('stores a file that arrives in several requests, of any size, and then says that it is complete', async () => {
    const granted = await ticket()
    const ends = [700, 2_000_000, 2_000_000, 13_000_000, FILE.length]

    const before = await head(granted.uploadUrl)
    let offset = 0
    for (const end of ends) {
      const length: Record<string, string> = end === FILE.length ? { 'Upload-Length': String(FILE.length) } : {}
      const answer = await patch(granted.uploadUrl, offset, FILE.subarray(offset, end), length)
      assert.deepEqual([answer.status, answer.headers['upload-offset']], [204, String(end)], answer.body.toString())
      offset = end
    }
    const complete = await head(granted.uploadUrl)

    assert.deepEqual(state(before), ['200', '0', 'deferred'])
    assert.equal(before.headers['cache-control'], 'no-store')
    assert.match(before.headers['access-control-expose-headers'] as string, /Upload-Offset/)
    assert.deepEqual(state(complete), ['200', String(FILE.length), String(FILE.length)])
    assert.ok((await storedBytes(granted)).equals(FILE))
    assert.equal(refusal(await patch(granted.uploadUrl, FILE.length, Buffer.alloc(0))), '409 CONFLICT')
    assert.equal(await drafts(), 0)
  })

  once('goes on after each cut of the connection, and sends nothing again that was acknowledged', async (t) => {
    const granted = await ticket()
    const proxy = await startTcpProxy(t, new URL(granted.uploadUrl))
    const cuts = [1_000_000, 9_000_000, 3_000_000]

    const offsets = await uploadByTus(throughProxy(granted.uploadUrl, proxy), FILE, () => {
      const cut = cuts.shift()
      if (cut !== undefined) void proxy.closeAfter(cut)
    })

    assert.ok((await storedBytes(granted)).equals(FILE))
    assert.ok(offsets.length >= 4, `requests at ${offsets}`)
    assert.ok(offsets.at(-1)! > 0, `requests at ${offsets}`)
    assert.deepEqual(
      offsets,
      offsets.toSorted((a, b) => a - b),
    )
  })

  test('goes on where the server has got, although its answer was lost', async () => {
    const granted = await ticket()
    const length = { 'Upload-Length': '5000' }
    const broken = openPatch(granted.uploadUrl, 5000)
    broken.request.write(FILE.subarray(0, 3000))

    const after = await untilOffset(() => head(granted.uploadUrl), 3000)
    broken.request.destroy()
    await broken.status
    const rest = await patch(granted.uploadUrl, 3000, FILE.subarray(3000, 5000), length)

    assert.deepEqual(state(after), ['200', '3000', '5000'])
    assert.equal(rest.status, 204)
    assert.ok((await storedBytes(granted)).equals(FILE.subarray(0, 5000)))
  })

  test('is continued by the newer of two requests, and the older one gets 409', async () => {
    const granted = await ticket()
    const some = FILE.subarray(0, 300_000)
    const older = openPatch(granted.uploadUrl, some.length)
    older.request.write(some.subarray(0, 100_000))
    await untilWriter(granted.storageKey)

    const newer = await patch(granted.uploadUrl, 0, some, { 'Upload-Length': String(some.length) })
    const refused = await older.status
    older.request.destroy()

    assert.equal(newer.status, 204)
    assert.equal(refused, 409)
    assert.ok((await storedBytes(granted)).equals(some))
  })

  test('keeps the bytes of the newer request apart from late ones of an older request elsewhere', async () => {
    const granted = await ticket()
    await patch(granted.uploadUrl, 0, FILE.subarray(0, 9_000_000))
    // Another instance has begun to write, and is not heard of again.
    const elsewhere = { storageKey: granted.storageKey, writer: 'elsewhere' }
    const begun = await deps.uploads.beginAppend(elsewhere, {
      offset: 9_000_000,
      length: FILE.length,
      resumableUntilMs: Date.now() + HOUR_MS,
    })
    const late = Promise.withResolvers<void>()
    const lateWriter = deps.blobs.partials.append(begun!.partial, lateBytes(late.promise), {
      isTakenOver: false,
      record: async (partial) => {
        if (!(await deps.uploads.recordAppend(elsewhere, partial))) throw new Error('replaced')
      },
    })

    const first = await patch(granted.uploadUrl, 9_000_000, FILE.subarray(9_000_000, 16_900_000))
    late.resolve()
    const outcome = await lateWriter.then(
      () => 'recorded',
      (error) => error.message,
    )
    const second = await patch(granted.uploadUrl, 16_900_000, FILE.subarray(16_900_000))

    assert.deepEqual([first.status, outcome, second.status], [204, 'replaced', 204])
    assert.ok((await storedBytes(granted)).equals(FILE))
  })

  test('is stored by HEAD if the server ended between the last byte and the file', async () => {
    const granted = await ticket()
    const identity = { storageKey: granted.storageKey, writer: 'ended' }
    const begun = { offset: 0, length: 10_000_000, resumableUntilMs: Date.now() + HOUR_MS }
    await deps.uploads.beginAppend(identity, begun)
    const whole = FILE.subarray(0, 10_000_000)
    const partial = await deps.blobs.partials.append(undefined, piecesOf(whole), {
      isTakenOver: false,
      record: async (synced) => void (await deps.uploads.recordAppend(identity, synced)),
    })
    // The parts may have been put together already.
    await deps.blobs.partials.assemble(partial)

    const answers = await Promise.all([head(granted.uploadUrl), head(granted.uploadUrl)])

    for (const answer of answers) assert.deepEqual(state(answer), ['200', '10000000', '10000000'])
    assert.ok((await storedBytes(granted)).equals(whole))
  })

  once('refuses what PUT refuses, and begins again with the same ticket', async () => {
    const granted = await ticket()
    await drafts()
    const html = Buffer.alloc(3000, '<html>')

    const early = await patch(granted.uploadUrl, 0, html)
    const part = await patch(granted.uploadUrl, 0, html.subarray(0, 1000))
    const late = await patch(granted.uploadUrl, 1000, html.subarray(1000), { 'Upload-Length': '3000' })
    const empty = await patch(granted.uploadUrl, 0, Buffer.alloc(0), { 'Upload-Length': '0' })
    const afterwards = await head(granted.uploadUrl)
    const right = await patch(granted.uploadUrl, 0, pdfOfSize(50), { 'Upload-Length': '50' })

    assert.deepEqual([early, late, empty].map(refusal), ['422 UNPROCESSABLE', '422 UNPROCESSABLE', '400 BAD_REQUEST'])
    assert.equal(part.status, 204)
    assert.deepEqual(state(afterwards), ['200', '0', 'deferred'])
    assert.equal(right.status, 204)
    assert.equal(await drafts(), 0)
  })

  once('refuses lengths, offsets, types and versions that are wrong', async () => {
    const { uploadUrl } = await ticket()
    const some = pdfOfSize(100)
    const forged = uploadUrl.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? '-' : '_'}`)
    await patch(uploadUrl, 0, some, { 'Upload-Length': '200' })
    const refused: [string, () => Promise<BytesAnswer>][] = [
      ['412 PRECONDITION_FAILED', () => patch(uploadUrl, 100, some, { 'Tus-Resumable': '0.2.2' })],
      ['415 UNSUPPORTED_MEDIA_TYPE', () => patch(uploadUrl, 100, some, { 'Content-Type': 'application/pdf' })],
      ['409 CONFLICT', () => patch(uploadUrl, 0, some)],
      ['409 CONFLICT', () => patch(uploadUrl, 99, some)],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 0, some, { 'Upload-Offset': '-1' })],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 0, some, { 'Upload-Offset': '1e2' })],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 0, some, { 'Upload-Offset': '9'.repeat(400) })],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 100, some, { 'Upload-Length': '300' })],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 100, pdfOfSize(101))],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 100, some, { 'Upload-Checksum': 'crc32 AAAAAA==' })],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 100, some, { 'Upload-Checksum': 'constructor x' })],
      ['400 BAD_REQUEST', () => patch(uploadUrl, 100, some, { 'Upload-Checksum': 'sha1 AAAA' })],
      [
        '413 PAYLOAD_TOO_LARGE',
        async () => patch((await ticket()).uploadUrl, 0, some, { 'Upload-Length': '24000001' }),
      ],
      ['403 FORBIDDEN', () => patch(forged, 100, some)],
    ]

    // One after the other: of two at once, the newer one wins.
    for (const [expected, send] of refused) assert.equal(refusal(await send()), expected)
    assert.deepEqual(state(await head(uploadUrl)), ['200', '100', '200'])
  })

  once('keeps nothing of a body whose checksum is wrong', async () => {
    const granted = await ticket()
    const file = FILE.subarray(0, 9_500_000)
    const [first, second] = [file.subarray(0, 9_000_000), file.subarray(9_000_000)]
    const checksum = (algorithm: string, of: Buffer) => ({
      'Upload-Length': String(file.length),
      'Upload-Checksum': `${algorithm} ${createHash(algorithm).update(of).digest('base64')}`,
    })

    const wrong = await patch(granted.uploadUrl, 0, first, checksum('sha1', second))
    const afterwards = await head(granted.uploadUrl)
    const right = await patch(granted.uploadUrl, 0, first, checksum('sha1', first))
    const alsoWrong = await patch(granted.uploadUrl, first.length, second, checksum('sha256', first))
    const rest = await patch(granted.uploadUrl, first.length, second, checksum('sha256', second))

    assert.deepEqual([wrong, alsoWrong].map(refusal), ['460 CHECKSUM_MISMATCH', '460 CHECKSUM_MISMATCH'])
    assert.equal(afterwards.headers['upload-offset'], '0')
    assert.deepEqual([right.status, rest.status], [204, 204])
    assert.ok((await storedBytes(granted)).equals(file))
  })

  test('says until when it can go on, also beyond the expiry of its address', async () => {
    const { storageKey } = await ticket()
    const path = `/uploads/${storageKey}`
    const expired = service.url + deps.signers.upload.sign({ method: 'PUT', path, expiresAtMs: Date.now() - 1 })
    const valid = service.url + deps.signers.upload.sign({ method: 'PUT', path, expiresAtMs: Date.now() + HOUR_MS })

    const notBegun = await head(expired)
    await patch(valid, 0, FILE.subarray(0, 2000), { 'Upload-Length': '3000' })
    const begun = await head(expired)
    const rest = await patch(expired, 2000, FILE.subarray(2000, 3000))

    assert.equal(notBegun.status, 410)
    assert.deepEqual(state(begun), ['200', '2000', '3000'])
    const hoursLeft = (Date.parse(begun.headers['upload-expires'] as string) - Date.now()) / HOUR_MS
    assert.ok(hoursLeft > 23 && hoursLeft <= 24, `${hoursLeft} hours`)
    assert.equal(rest.status, 204)
  })

  test('starts over after its bytes are gone, and gives way to PUT', async () => {
    const [swept, other] = [await ticket(), await ticket()]
    await patch(swept.uploadUrl, 0, FILE.subarray(0, 9_000_000))
    await patch(other.uploadUrl, 0, FILE.subarray(0, 2000))

    assert.ok((await drafts()) >= 1)
    const gone = await patch(swept.uploadUrl, 9_000_000, FILE.subarray(9_000_000, 9_000_100))
    const again = await patch(swept.uploadUrl, 0, FILE.subarray(0, 5000), { 'Upload-Length': '5000' })
    const whole = await put(other.uploadUrl, FILE.subarray(0, 5000))

    assert.deepEqual([refusal(gone), again.status, whole.status], ['409 CONFLICT', 204, 200])
    assert.equal((await head(other.uploadUrl)).headers['upload-offset'], '5000')
    assert.ok((await documents()).length >= 2)
  })

  async function untilWriter(storageKey: string): Promise<void> {
    for (;;) {
      const upload = await deps.uploads.find(service.workspaceId, storageKey)
      if (upload!.upload_writer !== null) return
      await wait(10)
    }
  }
})

function patchHeaders(offset: number) {
  return { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }
}

/** Begins a request whose body does not end. */
function openPatch(uploadUrl: string, length: number) {
  const headers = { ...patchHeaders(0), 'Upload-Length': String(length), 'Content-Length': String(length) }
  const request = httpRequest(uploadUrl, { method: 'PATCH', agent: false, headers })
  const status = new Promise<number>((resolve) => {
    request.on('response', (response) => resolve(response.resume().statusCode!))
    request.on('error', () => resolve(0))
  })
  return { request, status }
}

async function untilOffset(head: () => Promise<BytesAnswer>, offset: number): Promise<BytesAnswer> {
  for (;;) {
    const answer = await head()
    if (answer.headers['upload-offset'] === String(offset)) return answer
    await wait(20)
  }
}

async function* lateBytes(until: Promise<void>): AsyncGenerator<Buffer> {
  await until
  yield Buffer.alloc(9_000_000, 'late')
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* chunksOf(bytes)
}

/** Returns status, offset and length. */
function state({ status, headers }: BytesAnswer): string[] {
  const length = headers['upload-defer-length'] === '1' ? 'deferred' : String(headers['upload-length'])
  return [String(status), String(headers['upload-offset']), length]
}
