import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findAll, findOne, textOf } from '../support/html-tree.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { readPage, storePages } from '../support/public-pages.ts'
import { answer, publishPdf } from '../support/publish.ts'

describePublications('the public page of a document being prepared', { on: oneDatabase }, async ({ service }) => {
  const processing = (version = {}) =>
    storePages(service, {
      title: 'In the making',
      pages: [{ text: 'Ready' }],
      pageCount: 3,
      version: { status: 'processing', ...version },
    })

  test('has the space and image of every page from the start, and says how many are ready', async () => {
    const { slug } = await processing()

    const { page } = await readPage(service, `/p/${slug}`)

    const banner = findOne(page, 'div', { id: 'progress' })
    assert.equal(textOf(findOne(banner, 'p')), '1 of 3 pages are ready. The rest will appear automatically.')
    assert.deepEqual(findOne(banner, 'progress').attributes, { max: '3', value: '1', 'aria-hidden': 'true' })
    assert.deepEqual(
      findAll(page, 'img').map(({ attributes }) => [attributes.width, attributes.height]),
      Array(3).fill(['1200', '1600']),
    )
    assert.deepEqual(findAll(page, 'div', { class: 'text' }).map(textOf), [
      'Ready',
      'The text of this page is being prepared.',
      'The text of this page is being prepared.',
    ])
  })

  test('fills in by script, and reloads without one', async () => {
    const { slug } = await processing()

    const { page } = await readPage(service, `/p/${slug}`)

    const refresh = findOne(findOne(page, 'noscript'), 'meta').attributes
    assert.deepEqual([refresh['http-equiv'], refresh.content], ['refresh', '5'])
    // The second script is the reader, if it has been built.
    const [{ src }] = findAll(page, 'script', { type: 'module' }).map(({ attributes }) => attributes)
    const script = await fetch(new URL(src, `${service.url}/p/${slug}`))
    assert.equal(script.status, 200)
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.match(script.headers.get('cache-control')!, /immutable/)
    const { events } = JSON.parse(textOf(findOne(page, 'script', { id: 'publication-data' })))
    assert.equal(events, `${service.url}/publications/${slug}/events`)
  })

  test('is not indexed yet', async () => {
    const { slug } = await processing()

    const { page } = await readPage(service, `/p/${slug}`)

    assert.equal(findOne(page, 'meta', { name: 'robots' }).attributes.content, 'noindex')
  })

  test('keeps the progress bar once the first pages are ready, and is indexed', async () => {
    const { slug } = await processing({ status: 'ready' })

    const { page } = await readPage(service, `/p/${slug}`)

    findOne(page, 'div', { id: 'progress' })
    assert.deepEqual(findAll(page, 'meta', { name: 'robots' }), [])
    assert.deepEqual(findAll(page, 'noscript'), [])
  })

  test('changes its ETag as each page is ready', async () => {
    const { slug, versionId } = await processing()
    const { response } = await readPage(service, `/p/${slug}`)

    const { db } = service.server.publications!.deps
    await db.updateTable('versions').set({ pages_ready: 2 }).where('id', '=', versionId).execute()
    const headers = { 'If-None-Match': response.headers.get('etag')! }
    const { page } = await readPage(service, `/p/${slug}`, { headers })

    assert.match(textOf(findOne(page, 'div', { id: 'progress' })), /^2 of 3/)
  })

  test('says why preparation failed, and offers the file', async () => {
    const failure = JSON.stringify({ code: 'out_of_memory', detail: 'A detail for programs' })
    const { slug } = await processing({ status: 'failed', failure, pages_ready: 3 })

    const { page } = await readPage(service, `/p/${slug}`)

    assert.match(textOf(findOne(page, 'div', { class: 'banner failed' })), /could not be prepared.*too much memory/)
    findOne(page, 'a', { class: 'button', href: `${service.url}/publications/${slug}/download` })
    assert.deepEqual(findAll(page, 'section'), [])
    assert.equal(findOne(page, 'meta', { name: 'robots' }).attributes.content, 'noindex')
  })

  test('becomes the finished page with the text of the PDF', async () => {
    const pdf = makePdf({ pages: [{ content: showText('Hello there') }], info: '/Author (Ada)' })
    const { slug } = await publishPdf(service, { title: 'Real', pdf })
    await answer(await service.request('PATCH', `/publications/${slug}`, { author_from_file: true }), 200)

    let read = await readPage(service, `/p/${slug}`)
    while (findAll(read.page, 'div', { id: 'progress' }).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      read = await readPage(service, `/p/${slug}`)
    }

    assert.equal(textOf(findOne(read.page, 'div', { class: 'text' })), 'Hello there')
    assert.match(textOf(findAll(read.page, 'header')[0]), /By Ada/)
    const image = await fetch(findOne(read.page, 'img').attributes.src)
    assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/jpeg'])
  })
})
