import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { makePdf } from '../support/make-pdf.ts'
import { active, encrypted, numberedPages, outlined } from '../support/make-pdf-examples.ts'
import { type Problem, readProblem, wrongPlaces } from '../support/problem.ts'
import {
  answer,
  askForTicket,
  listPublications,
  publishPdf,
  untilRendered,
  uploadPdf,
  type WirePublication,
} from '../support/publish.ts'

describePublications('POST /publications', { on: oneDatabase, settings: { MAX_PAGES: '30' } }, async ({ service }) => {
  const create = (body: unknown, headers?: Record<string, string>) =>
    service.request('POST', '/publications', body, headers)

  test('answers 201 with the publication, which is processing and has its page count', async () => {
    const pdf = numberedPages(3)
    const body = await uploadPdf(service, { title: '  Annual Report \u{1f3d4}\n', pdf })

    const response = await create(body)

    const { id, created_at, updated_at, ...publication } = await answer<WirePublication>(response, 201)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    assert.equal(updated_at, created_at)
    assert(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.deepEqual(publication, {
      slug: 'annual-report-mountain-snow',
      title: 'Annual Report \u{1f3d4}',
      status: 'processing',
      page_count: 3,
      pages_ready: 0,
      pages_recognized: 0,
      size: pdf.length,
      public_url: `${service.url}/p/annual-report-mountain-snow`,
      failure: null,
      failed_pages: [],
      access: 'public',
      visibility: 'visible',
      publish_at: null,
      expires_at: null,
      has_password: false,
      allow_download: true,
      first_view: null,
      recognize_text: true,
      collection_id: null,
      unpublished_at: null,
      findings: [],
      language: null,
      author: null,
      description: null,
      title_from_file: false,
      language_from_file: true,
      author_from_file: false,
      description_from_file: false,
      detected_language: null,
      file_statements: { title: null, language: null, author: null, description: null },
    })
  })

  test('returns the language and the findings of the file', async () => {
    const spoken = await publishPdf(service, { pdf: outlined() })
    const dangerous = await publishPdf(service, { pdf: active() })

    assert.equal(spoken.language, 'de-CH')
    assert.deepEqual(dangerous.findings, ['attachments', 'javascript', 'launch_action', 'open_action'])
  })

  test('takes statements, and those of the file that are asked for', async () => {
    const body = { ...(await uploadPdf(service, { pdf: outlined() })), title: 'No title of its own' }
    const stated = { title_from_file: true, author_from_file: true, language: '', description: ' In short. ' }

    const created = await answer<Record<string, unknown>>(await create({ ...body, ...stated }), 201)
    const both = await create({ ...body, author: 'Ada', author_from_file: true })

    const { title, slug, language, author, description, file_statements } = created
    assert.deepEqual(
      [title, slug, language, author, description],
      ['Ein Titel', 'ein-titel', null, 'Müller', 'In short.'],
    )
    assert.deepEqual(file_statements, { title: 'Ein Titel', language: 'de-CH', author: 'Müller', description: null })
    assert.deepEqual(await wrongPlaces(both), ['author_from_file'])
  })

  test('accepts a title of 1 to 500 characters, not counting surrounding white space', async () => {
    const body = await uploadPdf(service)
    const wrong = ['', ' \t\u3000\ufeff', 'a'.repeat(501), '\u{1f3d4}'.repeat(501), 'a'.repeat(100_000)]

    for (const title of wrong) assert.deepEqual(await wrongPlaces(await create({ ...body, title })), ['title'])
    const longest = ` ${'\u{1f3d4}'.repeat(500)} `
    const created = await answer<WirePublication>(await create({ ...body, title: longest }), 201)

    assert.equal(created.title, longest.trim())
    assert(created.slug.length <= 80)
  })

  test('answers 400 for fields that are missing or have another type, and for other sources', async () => {
    const body = await uploadPdf(service)

    assert.deepEqual(await wrongPlaces(await create({})), ['pdfPath', 'sourceType', 'storageKey', 'title'])
    for (const [field, value] of [
      ['title', 5],
      ['title', null],
      ['storageKey', 1],
      ['pdfPath', null],
      ['sourceType', 'images'],
      ['sourceType', 'PDF'],
    ] as const)
      assert.deepEqual(await wrongPlaces(await create({ ...body, [field]: value })), [field])
  })

  test('names all wrong fields at once', async () => {
    const body = await uploadPdf(service)

    const response = await create({ ...body, title: ' ', sourceType: 'video' })

    const { errors } = await readProblem(response, 400, 'BAD_REQUEST')
    assert.deepEqual(errors, [
      { path: 'title', message: 'must have 1 to 500 characters, not counting surrounding white space' },
      { path: 'sourceType', message: 'must be one of pdf, images' },
    ])
  })

  test('answers 404 for a storageKey that is not the workspace’s, whatever the path', async () => {
    const { api_key: apiKey } = await service.createWorkspace('Other')
    const foreign = await uploadPdf(service, { apiKey })
    const own = await uploadPdf(service)
    const keys = [foreign.storageKey, randomUUID(), 'x', '', own.storageKey.toUpperCase(), `${own.storageKey}.pdf`]

    for (const storageKey of keys)
      for (const pdfPath of [foreign.pdfPath, own.pdfPath, ''])
        await readProblem(await create({ ...own, storageKey, pdfPath }), 404, 'NOT_FOUND')
  })

  test('answers 400 for a path that is not that of the storageKey', async () => {
    const [first, second] = [await uploadPdf(service), await uploadPdf(service)]

    for (const pdfPath of [second.pdfPath, '', first.storageKey, `/${first.pdfPath}`, first.pdfPath.toUpperCase()])
      assert.deepEqual(await wrongPlaces(await create({ ...first, pdfPath })), ['pdfPath'])
  })

  test('accepts a path with accents as sent and as answered', async () => {
    const path = 'e\u0301te\u0301/plan.pdf'
    const body = await uploadPdf(service, { path })

    const response = await create({ ...body, pdfPath: `${service.workspaceId}/${path}` })

    assert.equal(body.pdfPath, `${service.workspaceId}/${path.normalize('NFC')}`)
    await answer(response, 201)
  })

  test('answers 409 before the file has been uploaded', async () => {
    const { storageKey, pdfPath } = await askForTicket(service)

    const response = await create({ title: 'Nothing', storageKey, pdfPath, sourceType: 'pdf' })

    await readProblem(response, 409, 'CONFLICT')
  })

  test('answers 409 with the slug if the upload already belongs to a publication', async () => {
    const body = await uploadPdf(service, { title: 'Only once' })
    const first = await answer<WirePublication>(await create(body), 201)

    const again = await readProblem(await create({ ...body, title: 'Twice' }), 409, 'CONFLICT')

    assert.equal((again as Problem & { slug: string }).slug, first.slug)
  })

  test('creates one publication from concurrent requests for an upload', async () => {
    const body = await uploadPdf(service, { title: 'At once' })

    const responses = await Promise.all(Array.from({ length: 6 }, () => create(body)))

    const statuses = responses.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409])
    for (const response of responses) {
      const { slug } = (await response.json()) as { slug: string }
      assert.equal(slug, 'at-once')
    }
  })

  test('answers 422 with the reason for a file that cannot be published, and leaves the upload unused', async () => {
    const cases: [reason: string, pdf: Buffer, detail: RegExp][] = [
      ['password_required', encrypted(), /password/],
      ['no_pages', makePdf({ pages: [] }), /no pages/],
      ['not_a_pdf', Buffer.from('%PDF-1.7\nand nothing more'), /not a PDF/],
      ['too_many_pages', numberedPages(31), /more than 30 pages/],
    ]

    for (const [reason, pdf, detail] of cases) {
      const body = await uploadPdf(service, { title: reason, pdf })
      for (let attempt = 0; attempt < 2; attempt++) {
        const problem = await readProblem(await create(body), 422, 'UNPROCESSABLE')
        assert.equal((problem as Problem & { reason: string }).reason, reason)
        assert.match(problem.detail, detail)
      }
    }
    const titles = (await listPublications(service)).map(({ title }) => title)
    assert(cases.every(([reason]) => !titles.includes(reason)))
  })

  test('repeats the first answer to a request with the same Idempotency-Key', async () => {
    const body = await uploadPdf(service, { title: 'Repeated' })
    const named = { 'Idempotency-Key': randomUUID() }

    const together = await Promise.all([create(body, named), create(body, named)])
    const later = await create(body, named)
    const other = await create({ ...body, title: 'Another' }, named)

    const [first, second, third] = await Promise.all(
      [...together, later].map((response) => answer<WirePublication>(response, 201)),
    )
    assert.deepEqual(second, first)
    assert.deepEqual(third, first)
    assert.equal(later.headers.get('idempotency-replayed'), 'true')
    await readProblem(other, 422, 'UNPROCESSABLE')
  })

  test('forgets the answer with the deleted publication', async () => {
    const body = await uploadPdf(service, { title: 'Deleted meanwhile' })
    const named = { 'Idempotency-Key': randomUUID() }
    const first = await answer<WirePublication>(await create(body, named), 201)
    await answer(await service.request('DELETE', `/publications/${first.slug}`), 204)

    const again = await create(body, named)

    await readProblem(again, 410, 'GONE')
  })

  test('does not remember a refusal under its Idempotency-Key', async () => {
    const named = { 'Idempotency-Key': randomUUID() }
    const { storageKey, pdfPath, uploadUrl } = await askForTicket(service)
    const body = { title: 'Patience', storageKey, pdfPath, sourceType: 'pdf' }
    await readProblem(await create(body, named), 409, 'CONFLICT')

    await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/pdf' },
      body: new Uint8Array(numberedPages(1)),
    })

    await answer(await create(body, named), 201)
  })

  test('the publication becomes ready', async () => {
    const { slug } = await publishPdf(service, { pages: 2 })

    const { status, pages_ready } = await untilRendered(service, slug)

    assert.deepEqual([status, pages_ready], ['ready', 2])
  })
})
