import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { makePdf } from '../support/make-pdf.ts'
import { numberedPages, outlined } from '../support/make-pdf-examples.ts'
import { readProblem } from '../support/problem.ts'
import { answer, publishPdf, untilRendered, uploadPdf, type WirePublication } from '../support/publish.ts'

type WirePage = { page: number; width: number; height: number; width_pt: number; height_pt: number; image: string }
type PublicationDetail = WirePublication & {
  metadata: Record<string, string>
  attachments: object[]
  outline: { title: string; depth: number; page?: number; uri?: string }[]
  pages: (WirePage & { label?: string })[]
}

describePublications('GET /publications/:slug', { on: oneDatabase }, async ({ service }) => {
  /** Sends a request without a key, as readers do. */
  const get = (slug: string) => fetch(`${service.url}/publications/${slug}`)
  const read = async (slug: string) => await answer<PublicationDetail>(await get(slug), 200)

  test('returns the publication with its pages, without a key', async () => {
    const created = await publishPdf(service, { title: 'For anyone', pages: 3 })
    await untilRendered(service, created.slug)

    const { metadata, outline, attachments, pages, ...publication } = await read(created.slug)

    const answered = await service.request('PATCH', `/publications/${created.slug}`, {})
    const owned = Object.entries(await answer<object>(answered, 200))
    const isForPublisher = (name: string) => /^(?:file_statements|detected_language|.*_from_file)$/.test(name)
    assert.deepEqual(publication, Object.fromEntries(owned.filter(([name]) => !isForPublisher(name))))
    assert.deepEqual([metadata, outline, attachments], [{}, [], []])
    assert.deepEqual(
      pages.map(({ page }) => page),
      [1, 2, 3],
    )
  })

  test('returns the size of each page and of its image', async () => {
    const boxes = ['[0 0 612 792]', '[0 0 300 100]', '[0 0 100 200]']
    const pdf = makePdf({
      pages: boxes.map((mediaBox, at) => ({ mediaBox, ...(at === 2 && { entries: '/Rotate 90' }) })),
    })
    const { slug } = await publishPdf(service, { pdf })

    const { pages } = await read(slug)

    assert.deepEqual(
      pages.map(({ width_pt, height_pt, width, height }) => [width_pt, height_pt, width, height]),
      [
        [612, 792, 1200, 1552],
        [300, 100, 1200, 400],
        [200, 100, 1200, 600],
      ],
    )
  })

  test('returns the same addresses as the list of images', async () => {
    const { slug } = await publishPdf(service, { pages: 30 })

    const { pages } = await read(slug)

    const { images } = await answer<{ images: string[] }>(await get(`${slug}/images`), 200)
    assert.deepEqual(
      pages.map(({ image }) => image),
      images,
    )
  })

  test('returns the metadata of the file, and its author only once that is published', async () => {
    const { slug } = await publishPdf(service, { pdf: outlined() })

    const { language, metadata, outline, pages } = await read(slug)

    assert.equal(language, 'de-CH')
    assert.deepEqual(metadata, { title: 'Ein Titel' })
    await answer(await service.request('PATCH', `/publications/${slug}`, { author_from_file: true }), 200)
    assert.deepEqual((await read(slug)).metadata, { title: 'Ein Titel', author: 'Müller' })
    assert.deepEqual(outline, [
      { title: 'One', depth: 0, page: 1 },
      { title: 'One and a half', depth: 1, page: 3 },
      { title: 'Two', depth: 0, uri: 'https://example.org/two' },
    ])
    assert.deepEqual(
      pages.map(({ label }) => label),
      ['i', 'ii', '1'],
    )
  })

  test('names the pages that could not be rendered', async () => {
    const lost = numberedPages(3).toString('latin1').replace('/Kids [1000 0 R 1002 0 R', '/Kids [1000 0 R 9999 0 R')
    const { slug } = await publishPdf(service, { pdf: Buffer.from(lost, 'latin1') })

    const { failed_pages, status } = await untilRendered(service, slug)

    assert.equal(status, 'ready')
    assert.deepEqual(
      failed_pages!.map(({ page }) => page),
      [2],
    )
    assert.match(failed_pages![0].reason, /\w/)
  })

  test('returns the same again, and the new title after a change', async () => {
    const { slug } = await publishPdf(service, { title: 'Before', pages: 2 })
    await untilRendered(service, slug)
    const first = await read(slug)

    const second = await read(slug)
    await answer(await service.request('PATCH', `/publications/${slug}`, { title: 'After' }), 200)
    const third = await read(slug)

    assert.deepEqual(second, first)
    assert.deepEqual(third, { ...first, title: 'After', updated_at: third.updated_at })
  })

  test('answers 404 for a slug without a publication', async () => {
    const { storageKey } = await uploadPdf(service)
    const slugs = ['nothing', storageKey, randomUUID(), 'UPPER', '%00', 'a%2Fb', '%C3%A9', '..%2F', 'x'.repeat(90)]

    for (const slug of slugs) await readProblem(await get(slug), 404, 'NOT_FOUND')
  })

  for (const [title, name] of [
    ['Upload URL', 'upload-url'],
    ['Webhooks', 'webhooks'],
  ]) {
    test(`gives no publication the slug ${name}, which is an address of the API`, async () => {
      const { slug } = await publishPdf(service, { title })
      const renamed = await service.request('PATCH', `/publications/${slug}`, { slug: name })

      assert.equal(slug, `${name}-2`)
      assert.equal((await read(slug)).title, title)
      const problem = await readProblem(renamed, 400, 'BAD_REQUEST')
      assert.deepEqual(problem.errors, [
        { path: 'slug', message: `must not be ${name}, which is an address of the API` },
      ])
    })
  }
})
