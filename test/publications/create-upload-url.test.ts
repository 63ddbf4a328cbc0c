import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'
import { pdfOfSize, uploadRequests } from '../support/upload-requests.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describeOn(oneDatabase, 'POST /publications/upload-url', async (database) => {
  const service = await startService({ after }, database)
  const { ticket, put } = uploadRequests(service)

  const ask = (body: unknown, headers = {}) => service.request('POST', '/publications/upload-url', body, headers)

  test('answers 200 with a ticket whose token is part of its address', async () => {
    const response = await ask({ type: 'pdf' })

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const answer = (await response.json()) as Record<string, string>
    assert.deepEqual(Object.keys(answer), ['uploadUrl', 'token', 'storageKey', 'pdfPath', 'workspaceId'])
    assert.match(answer.storageKey, UUID)
    assert.equal(answer.workspaceId, service.workspaceId)
    assert.equal(answer.pdfPath, `${service.workspaceId}/${answer.storageKey}.pdf`)
    assert.ok(answer.uploadUrl.startsWith(`${service.url}/uploads/${answer.storageKey}?`))
    assert.equal(new URL(answer.uploadUrl).searchParams.get('signature'), answer.token)
  })

  test('issues a ticket that is valid for two hours', async () => {
    const beforeMs = Date.now()

    const { uploadUrl } = await ticket()

    const expiresMs = Number(new URL(uploadUrl).searchParams.get('expires'))
    assert.ok(expiresMs >= beforeMs + 7_200_000 && expiresMs <= Date.now() + 7_200_000)
  })

  test('accepts a path and normalises it to Unicode NFC', async () => {
    const path = 'Plans/Été 2026/Nº 1 – %2e%2e.PDF'

    const { pdfPath, storageKey } = await ticket({ path: path.normalize('NFD') })

    assert.equal(pdfPath, `${service.workspaceId}/${path}`)
    assert.match(storageKey, UUID)
  })

  test('accepts null for no path, and ignores unknown fields', async () => {
    const answer = await ticket({ path: null, size: 12, storageKey: 'mine' })

    assert.equal(answer.pdfPath, `${service.workspaceId}/${answer.storageKey}.pdf`)
  })

  test('answers 400 for every invalid path, naming the field', async () => {
    for (const path of [
      '',
      '/a.pdf',
      'a/../b.pdf',
      './a.pdf',
      'a//b.pdf',
      'a\\b.pdf',
      'C:/a.pdf',
      'a\n.pdf',
      'a.txt',
      'folder/',
      `${'a'.repeat(252)}.pdf`,
      `${'a/'.repeat(511)}.pdf`,
    ])
      assert.deepEqual(await wrongPlaces(await ask({ type: 'pdf', path })), ['path'], path)
  })

  test('answers 400 for U+0000 anywhere in a body', async () => {
    await readProblem(await ask({ type: 'pdf', path: 'a\u0000.pdf' }), 400, 'BAD_REQUEST')
  })

  test('answers 400 for another type, none, and values of the wrong kind', async () => {
    assert.deepEqual(await wrongPlaces(await ask({ type: 'image' })), ['type'])
    assert.deepEqual(await wrongPlaces(await ask({ type: 'PDF' })), ['type'])
    assert.deepEqual(await wrongPlaces(await ask({})), ['type'])
    assert.deepEqual(await wrongPlaces(await ask({ type: null, path: 3 })), ['path', 'type'])
    assert.deepEqual(await wrongPlaces(await ask([])), [''])
  })

  test('requires an API key', async () => {
    await readProblem(await ask({ type: 'pdf' }, { 'X-API-Key': 'pub_wrong' }), 401, 'UNAUTHORIZED')
    await readProblem(await ask({ type: 'pdf' }, { 'X-API-Key': service.token }), 401, 'UNAUTHORIZED')
  })

  test('issues several tickets for a free path, and answers 409 once it holds a file', async () => {
    const path = 'held/plan.pdf'
    const [first] = [await ticket({ path }), await ticket({ path })]

    assert.equal((await put(first.uploadUrl, pdfOfSize(100))).status, 200)

    await readProblem(await ask({ type: 'pdf', path }), 409, 'CONFLICT')
    assert.equal((await ask({ type: 'pdf', path: 'Held/plan.pdf' })).status, 200)
  })

  test('keeps the paths of workspaces separate', async () => {
    const other = await service.createWorkspace('Other')
    const path = 'mine/plan.pdf'
    await put((await ticket({ path })).uploadUrl, pdfOfSize(100))

    const answer = await ticket({ path }, { 'X-API-Key': other.api_key })

    assert.equal(answer.pdfPath, `${other.id}/${path}`)
  })

  test('repeats the ticket for the same Idempotency-Key, and answers 422 for another body', async () => {
    const headers = { 'Idempotency-Key': 'the same' }

    const first = await ask({ type: 'pdf' }, headers)
    const second = await ask({ type: 'pdf' }, headers)

    assert.deepEqual([first.status, second.status], [200, 200])
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(await second.text(), await first.text())
    await readProblem(await ask({ type: 'pdf', path: 'a.pdf' }, headers), 422, 'UNPROCESSABLE')
  })

  test('issues a new ticket for each request without an Idempotency-Key', async () => {
    assert.notEqual((await ticket()).storageKey, (await ticket()).storageKey)
  })
})

describeOn(oneDatabase, 'The address of an upload', async (database) => {
  const service = await startService({ after }, database, { settings: { BASE_URL: 'https://api.example.org/v1/' } })

  test('is built only from BASE_URL', async () => {
    const { uploadUrl, storageKey } = await uploadRequests(service).ticket({}, { 'X-Forwarded-Host': 'evil.example' })

    assert.ok(uploadUrl.startsWith(`https://api.example.org/v1/uploads/${storageKey}?`))
  })
})
