import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { type StoredPublication, storePublication } from '../support/store-publication.ts'

const HOUR_MS = 3_600_000
/** Random bytes: ranges work for any content. */
const BYTES = randomBytes(300_000)

describePublications('GET /files/:versionId', { on: oneDatabase }, async ({ service }) => {
  const { db, signers, fileAddresses } = service.server.publications!.deps

  async function addressOf({ slug }: StoredPublication): Promise<string> {
    const response = await fetch(`${service.url}/publications/${slug}/pdf`)
    return ((await response.json()) as { url: string }).url
  }
  const change = async (id: string, values: object) =>
    await db.updateTable('publications').set(values).where('id', '=', id).execute()

  test('serves the PDF unchanged, without active content, and for revalidation', async () => {
    const stored = await storePublication(service)

    const { status, headers, body } = await sendBytes(await addressOf(stored), {
      headers: { 'Accept-Encoding': 'gzip, br, zstd' },
    })

    assert.equal(status, 200)
    assert.deepEqual(body, stored.pdf)
    assert.equal(headers['content-type'], 'application/pdf')
    assert.equal(headers['content-length'], String(stored.pdf.length))
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers.etag, `"${stored.sha256}"`)
    assert.equal(headers['accept-ranges'], 'bytes')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /^default-src 'none';/)
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['access-control-allow-origin'], '*')
  })

  test('serves ranges, and 304 if the client has the file', async () => {
    const url = await addressOf(await storePublication(service, { pdf: BYTES }))
    const ask = async (headers: Record<string, string>) => await sendBytes(url, { headers })

    const first = await ask({ Range: 'bytes=0-1023' })
    const last = await ask({ Range: 'bytes=-10' })
    const beyond = await ask({ Range: 'bytes=300000-' })
    const known = await ask({ 'If-None-Match': first.headers.etag! })
    const changed = await ask({ Range: 'bytes=0-9', 'If-Range': '"another"' })

    assert.deepEqual([first.status, first.body], [206, BYTES.subarray(0, 1024)])
    assert.equal(first.headers['content-range'], 'bytes 0-1023/300000')
    assert.deepEqual([last.status, last.body], [206, BYTES.subarray(-10)])
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */300000'])
    assert.deepEqual([known.status, known.body.length], [304, 0])
    assert.deepEqual([changed.status, changed.body], [200, BYTES])
  })

  test('answers HEAD with only the headers', async () => {
    const stored = await storePublication(service)

    const { status, headers, body } = await sendBytes(await addressOf(stored), { method: 'HEAD' })

    assert.deepEqual([status, body.length], [200, 0])
    assert.equal(headers['content-length'], String(stored.pdf.length))
    assert.match(headers['content-disposition'] ?? '', /^inline;/)
  })

  test('serves any number of requests', async () => {
    const url = await addressOf(await storePublication(service))

    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await sendBytes(url)).status))

    assert.deepEqual(new Set(statuses), new Set([200]))
  })

  test('names the file after the current title', async () => {
    const stored = await storePublication(service, { title: 'Draft' })
    const url = await addressOf(stored)

    await change(stored.id, { title: 'Final' })
    const { headers } = await sendBytes(url)

    assert.equal(headers['content-disposition'], `inline; filename="Final.pdf"; filename*=UTF-8''Final.pdf`)
  })

  test('escapes titles in the file name', async () => {
    const title = '"><script>alert(1)</script>\r\nSet-Cookie: a=1\u2028../../etc\\passwd'
    const stored = await storePublication(service, { title })

    const { headers } = await sendBytes(await addressOf(stored))

    assert.equal(headers['set-cookie'], undefined)
    const [, name = ''] = /; filename\*=UTF-8''([\w.%-]+)$/.exec(headers['content-disposition'] ?? '') ?? []
    assert.equal(decodeURIComponent(name), '_><script>alert(1)<_script> Set-Cookie: a=1 .._.._etc_passwd.pdf')
  })

  test('serves the file of a former slug, and of a version that has been replaced', async () => {
    const stored = await storePublication(service)
    const url = await addressOf(stored)
    const later = await storePublication(service)

    await db
      .updateTable('versions')
      .set({ publication_id: stored.id, number: 2 })
      .where('id', '=', later.versionId)
      .execute()
    await change(stored.id, { version_id: later.versionId })

    assert.equal((await sendBytes(url)).status, 200)
    assert.ok((await addressOf(stored)).includes(later.versionId))
  })

  test('answers 410 from one hour after the address was issued, to the millisecond', async (t) => {
    const issuedMs = Date.UTC(2026, 4, 3)
    t.mock.timers.enable({ apis: ['Date'], now: issuedMs })
    const url = await addressOf(await storePublication(service))

    t.mock.timers.setTime(issuedMs + HOUR_MS - 1)
    const inTime = await fetch(url)
    t.mock.timers.setTime(issuedMs + HOUR_MS)
    const late = await fetch(url)

    assert.equal(inTime.status, 200)
    assert.match((await readProblem(late, 410, 'GONE')).detail, /expired/)
  })

  test('answers 403 FORBIDDEN to an address that was altered in any part, or has no signature', async () => {
    const url = await addressOf(await storePublication(service))
    const altered = [
      url.replace('epoch=0', 'epoch=1'),
      url.replace('as=inline', 'as=attachment'),
      url.replace(/expires=(\d+)/, (_, expires) => `expires=${Number(expires) + 1}`),
      url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      url.replace('?', '?download=1&'),
      `${url}&download=1`,
      url.replace('/files/', '/files//'),
      url.split('?')[0],
      `${service.url}/files/%00`,
      `${service.url}/files/..%2f..%2fsecret`,
    ]

    const statuses = await Promise.all(altered.map(async (address) => (await fetch(address)).status))

    assert.ok(!altered.includes(url))
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 403, 404, 403, 403, 403])
  })

  test('answers 403 FORBIDDEN to the signature of another version', async () => {
    const [one, other] = [await storePublication(service), await storePublication(service)]
    const [first, second] = [await addressOf(one), await addressOf(other)]

    const mixed = `${first.split('?')[0]}?${second.split('?')[1]}`

    await readProblem(await fetch(mixed), 403, 'FORBIDDEN')
  })

  test('answers 403 FORBIDDEN to a signature for another purpose or method', async () => {
    const { versionId } = await storePublication(service)
    const grant = {
      path: `/files/${versionId}`,
      claims: { epoch: 0, as: 'inline' },
      expiresAtMs: Date.now() + HOUR_MS,
    }

    const ofUploads = signers.upload.sign({ ...grant, method: 'GET' })
    const ofPut = signers.file.sign({ ...grant, method: 'PUT' })

    for (const target of [ofUploads, ofPut]) await readProblem(await fetch(service.url + target), 403, 'FORBIDDEN')
    assert.equal((await fetch(service.url + signers.file.sign({ ...grant, method: 'GET' }))).status, 200)
  })

  test('accepts no upload at the address of a file', async () => {
    const ticket = await service.request('POST', '/publications/upload-url', { type: 'pdf' })
    const { uploadUrl } = (await ticket.json()) as { uploadUrl: string }
    const file = new URL(await addressOf(await storePublication(service)))
    const upload = new URL(uploadUrl)

    upload.search = file.search
    const response = await fetch(upload, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/pdf' },
      body: '%PDF-1.7',
    })

    await readProblem(response, 403, 'FORBIDDEN')
  })

  test('answers 405 to other methods', async () => {
    const url = await addressOf(await storePublication(service))

    for (const method of ['PUT', 'POST', 'DELETE']) {
      const response = await fetch(url, { method })

      await readProblem(response, 405, 'METHOD_NOT_ALLOWED')
      assert.equal(response.headers.get('allow'), 'GET, HEAD')
    }
  })

  test('answers 410 GONE once the publication is unpublished, and after it is published again', async () => {
    const stored = await storePublication(service)
    const url = await addressOf(stored)

    await change(stored.id, { unpublished_at: Date.now(), epoch: 1 })
    const withdrawn = await fetch(url)
    await change(stored.id, { unpublished_at: null })
    const again = await fetch(url)

    for (const response of [withdrawn, again]) {
      assert.match((await readProblem(response, 410, 'GONE')).detail, /unpublished/)
      assert.equal(response.headers.get('content-disposition'), null)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
    }
    assert.equal((await fetch(await addressOf(stored))).status, 200)
  })

  test('answers 404 NOT_FOUND once the publication is deleted', async () => {
    const stored = await storePublication(service)
    const url = await addressOf(stored)

    await change(stored.id, { deleted_at: Date.now() })
    await readProblem(await fetch(url), 404, 'NOT_FOUND')
    await db.deleteFrom('versions').where('id', '=', stored.versionId).execute()
    await readProblem(await fetch(url), 404, 'NOT_FOUND')
  })

  test('answers 404 NOT_FOUND once the workspace is deleted', async () => {
    const { deps } = service.server.publications!
    const { id: workspaceId } = await service.createWorkspace('Short-lived')
    const stored = await storePublication(service, { publication: { workspace_id: workspaceId } })
    const url = fileAddresses.issue({ versionId: stored.versionId, epoch: 0, isForEveryone: true }, 'inline')

    assert.equal((await fetch(url)).status, 200)
    await deps.workspaces.end(workspaceId, Date.now())
    await readProblem(await fetch(url), 404, 'NOT_FOUND')
  })
})
