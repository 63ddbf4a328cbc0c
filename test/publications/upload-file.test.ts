import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { describePlaces } from '../support/publication-places.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { storedFiles } from '../support/stored-files.ts'
import { pdfOfSize, refusal, uploadRequests } from '../support/upload-requests.ts'

/** Larger than one part of an S3 upload. */
const LIMIT_BYTES = 8_500_000

describePlaces('PUT /uploads/:storageKey', { MAX_UPLOAD_BYTES: String(LIMIT_BYTES) }, async ({ service, once }) => {
  const { deps } = service.server.publications!
  const { ticket, put } = uploadRequests(service)
  const { documents, drafts } = storedFiles(service)

  const sign = (path: string, expiresAtMs: number) =>
    service.url + deps.signers.upload.sign({ method: 'PUT', path, expiresAtMs })
  const uploadOf = ({ storageKey }: { storageKey: string }) => deps.uploads.find(service.workspaceId, storageKey)

  test('stores the file and answers with its path and size, without a key', async () => {
    const granted = await ticket({ path: 'stored/plan.pdf' })
    const file = pdfOfSize(100_000)

    const answer = await put(granted.uploadUrl, file)

    assert.equal(answer.status, 200)
    const { storageKey, pdfPath, workspaceId } = granted
    assert.deepEqual(JSON.parse(answer.body.toString()), { storageKey, pdfPath, workspaceId, size: 100_000 })
    const upload = await uploadOf(granted)
    assert.equal(upload!.size, 100_000)
    assert.equal(upload!.sha256, createHash('sha256').update(file).digest('hex'))
    assert.deepEqual(Buffer.concat(await (await deps.blobs.read(upload!.blob_key!))!.toArray()), file)
  })

  test('accepts a file of the maximum size, also without Content-Length', async () => {
    const file = pdfOfSize(LIMIT_BYTES)
    const [whole, chunked] = [await ticket(), await ticket()]

    const answers = [await put(whole.uploadUrl, file), await put(chunked.uploadUrl, pieces(file, 70_000))]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    for (const granted of [whole, chunked]) {
      const { blob_key, sha256 } = (await uploadOf(granted))!
      const stored = Buffer.concat(await (await deps.blobs.read(blob_key!))!.toArray())
      assert.equal(sha256, createHash('sha256').update(file).digest('hex'))
      assert.ok(stored.equals(file))
    }
    assert.equal(await drafts(), 0)
  })

  once('accepts the Content-Type in any case and with parameters', async () => {
    for (const type of ['APPLICATION/PDF', 'application/pdf; charset=binary', 'application/pdf ;version=1.7']) {
      const { uploadUrl } = await ticket()

      assert.equal((await put(uploadUrl, pdfOfSize(50), { 'Content-Type': type })).status, 200, type)
    }
  })

  test('accepts Content-Encoding: identity', async () => {
    const { uploadUrl } = await ticket()

    assert.equal((await put(uploadUrl, pdfOfSize(50), { 'Content-Encoding': 'identity' })).status, 200)
  })

  test('answers 403 for an address that was altered or has another purpose, whatever the body', async () => {
    const { uploadUrl, storageKey } = await ticket()
    const other = await ticket()
    const forFiles = deps.signers.file.sign({
      method: 'GET',
      path: `/uploads/${storageKey}`,
      expiresAtMs: Date.now() + 60_000,
    })

    for (const address of [
      uploadUrl.replace(/signature=./, (found) => (found.endsWith('A') ? 'signature=B' : 'signature=A')),
      uploadUrl.replace(/expires=\d/, 'expires=9'),
      uploadUrl.replace(storageKey, other.storageKey),
      uploadUrl.replace('?', '?more=1&'),
      `${uploadUrl}&more=1`,
      uploadUrl.split('?')[0],
      service.url + forFiles,
    ])
      assert.equal(refusal(await put(address, Buffer.from('x'), { 'Content-Type': 'text/plain' })), '403 FORBIDDEN')
    assert.equal((await put(uploadUrl, pdfOfSize(50))).status, 200)
  })

  test('answers 410 once the ticket has expired, whatever the body', async () => {
    const { storageKey } = await ticket()

    const answer = await put(sign(`/uploads/${storageKey}`, Date.now() - 1), Buffer.from('x'), {
      'Content-Type': 'x',
    })

    assert.equal(refusal(answer), '410 GONE')
  })

  // The result does not depend on the storage or the database.
  once('accepts an upload that began in time and ends later', async () => {
    const { storageKey } = await ticket()
    const expiresAtMs = Date.now() + 1500
    const file = pdfOfSize(5000)
    async function* slowly() {
      yield file.subarray(0, 2000)
      while (Date.now() <= expiresAtMs) await wait(50)
      yield file.subarray(2000)
    }

    const answer = await put(sign(`/uploads/${storageKey}`, expiresAtMs), slowly())

    assert.equal(answer.status, 200)
  })

  test('answers 409 for a used ticket, whatever the body', async () => {
    const { uploadUrl } = await ticket()
    await put(uploadUrl, pdfOfSize(50))

    assert.equal(refusal(await put(uploadUrl, pdfOfSize(60))), '409 CONFLICT')
    assert.equal(refusal(await put(uploadUrl, Buffer.from('x'), { 'Content-Type': 'text/plain' })), '409 CONFLICT')
  })

  test('answers 409 if the path holds a file meanwhile', async () => {
    const path = 'contested/plan.pdf'
    const [first, second] = [await ticket({ path }), await ticket({ path })]
    await put(first.uploadUrl, pdfOfSize(50))
    const before = await documents()

    assert.equal(refusal(await put(second.uploadUrl, pdfOfSize(60))), '409 CONFLICT')

    assert.deepEqual(await documents(), before)
  })

  test('stores one file of concurrent uploads with one ticket', async () => {
    const { uploadUrl } = await ticket()
    const before = (await documents()).length

    const answers = await Promise.all([1, 2, 3, 4, 5].map((size) => put(uploadUrl, pdfOfSize(size * 100_000))))

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
    assert.equal((await documents()).length, before + 1)
  })

  test('stores one file of several tickets for one path', async () => {
    const tickets = await Promise.all([1, 2, 3, 4].map(() => ticket({ path: 'at once.pdf' })))
    const before = (await documents()).length

    const answers = await Promise.all(tickets.map(({ uploadUrl }) => put(uploadUrl, pdfOfSize(300_000))))

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.equal((await documents()).length, before + 1)
  })

  test('a refused upload stores nothing and leaves the ticket valid', async () => {
    const { uploadUrl } = await ticket()
    const before = await documents()
    const tooLarge = pdfOfSize(LIMIT_BYTES + 1)
    const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex')

    const refusals = [
      await put(uploadUrl, pdfOfSize(50), { 'Content-Type': 'application/octet-stream' }),
      await put(uploadUrl, pdfOfSize(50), { 'Content-Type': 'application/pdfx' }),
      await put(uploadUrl, pdfOfSize(50), { 'Content-Type': '' }),
      await put(uploadUrl, pdfOfSize(50), { 'Content-Type': 'nonsense' }),
      await sendBytes(uploadUrl, { method: 'PUT', body: pdfOfSize(50) }),
      await put(uploadUrl, pdfOfSize(50), { 'Content-Encoding': 'gzip' }),
      await put(uploadUrl, tooLarge),
      await put(uploadUrl, pieces(tooLarge, 500_000)),
      await put(uploadUrl, Buffer.alloc(0)),
      await put(uploadUrl, []),
      await put(uploadUrl, pdfOfSize(50), { 'Content-Range': 'bytes 0-49/100' }),
      await put(uploadUrl, Buffer.from('<!doctype html><script>alert(1)</script>')),
      await put(uploadUrl, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      await put(uploadUrl, Buffer.from('PK\x03\x04'.padEnd(5_000_000, 'zip'))),
      await put(uploadUrl, jpeg),
      await put(uploadUrl, Buffer.from('%PDF')),
      await put(uploadUrl, Buffer.from(`${' '.repeat(1024)}%PDF-1.7`)),
      await put(uploadUrl, pieces(Buffer.from(`${' '.repeat(1020)}%PDF-1.7`), 100)),
    ].map(refusal)

    assert.deepEqual(refusals, [
      ...Array(6).fill('415 UNSUPPORTED_MEDIA_TYPE'),
      ...Array(2).fill('413 PAYLOAD_TOO_LARGE'),
      ...Array(3).fill('400 BAD_REQUEST'),
      ...Array(7).fill('422 UNPROCESSABLE'),
    ])
    assert.deepEqual(await documents(), before)
    assert.equal(await drafts(), 0)
    assert.equal((await put(uploadUrl, pdfOfSize(50))).status, 200)
  })

  once('looks for the header of a PDF in the first 1,024 bytes, in whatever pieces they arrive', async () => {
    const beginnings = [`${' '.repeat(1019)}%PDF-`, `<html><!--\n%PDF-1.4`, `\ufeff\n%PDF-2.0`]
    const tickets = await Promise.all(beginnings.map(() => ticket()))

    const answers = await Promise.all(
      beginnings.map((text, at) => put(tickets[at].uploadUrl, pieces(Buffer.from(text.padEnd(3000)), 3))),
    )

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
  })

  test('answers 404 after the workspace was deleted', async () => {
    const { id, api_key } = await service.createWorkspace('Short-lived')
    const { uploadUrl } = await ticket({}, { 'X-API-Key': api_key })

    await deps.workspaces.end(id, Date.now())

    assert.equal(refusal(await put(uploadUrl, pdfOfSize(50))), '404 NOT_FOUND')
  })

  test('answers 404 and keeps nothing if the workspace is deleted during the upload', async () => {
    const { id, api_key } = await service.createWorkspace('Short-lived')
    const { uploadUrl } = await ticket({}, { 'X-API-Key': api_key })
    const before = await documents()
    async function* withDeletion() {
      yield pdfOfSize(2000)
      await wait(100)
      await deps.workspaces.end(id, Date.now())
      yield Buffer.alloc(2000)
    }

    const answer = await put(uploadUrl, withDeletion())

    assert.equal(refusal(answer), '404 NOT_FOUND')
    assert.deepEqual(await documents(), before)
  })

  test('answers 405 to other methods', async () => {
    const { uploadUrl } = await ticket()

    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await sendBytes(uploadUrl, { method })

      assert.equal(refusal(answer), '405 METHOD_NOT_ALLOWED')
      assert.equal(answer.headers.allow, 'HEAD, PATCH, PUT')
    }
  })

  test('allows requests from pages of any origin', async () => {
    const { uploadUrl } = await ticket()
    const origin = 'https://app.example'

    const preflight = await sendBytes(uploadUrl, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'content-type',
      },
    })
    const refused = await put(uploadUrl, Buffer.from('x'), { Origin: origin })
    const taken = await put(uploadUrl, pdfOfSize(50), { Origin: origin })

    assert.equal(preflight.status, 204)
    assert.match(String(preflight.headers['access-control-allow-methods']), /\bPUT\b/)
    assert.match(String(preflight.headers['access-control-allow-headers']), /\bContent-Type\b/)
    assert.deepEqual([refused.status, taken.status], [422, 200])
    for (const { headers } of [preflight, refused, taken]) assert.equal(headers['access-control-allow-origin'], '*')
  })
})

const limited = { on: oneDatabase, settings: { PUBLICATIONS_RATE_LIMIT: '1' } }
describePublications('The rate limit of publications', limited, async ({ service }) => {
  test('the rate limit does not count uploads', async () => {
    const { ticket, put } = uploadRequests(service)
    const { uploadUrl } = await ticket()

    const answers = [
      await put(uploadUrl, Buffer.from('x')),
      await put(uploadUrl, Buffer.from('x')),
      await put(uploadUrl, pdfOfSize(50)),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [422, 422, 200],
    )
    for (const { headers } of answers) assert.equal(headers['ratelimit-limit'], undefined)
  })
})

function* pieces(file: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < file.length; at += bytes) yield file.subarray(at, at + bytes)
}
