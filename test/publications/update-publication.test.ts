import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findOne, textOf } from '../support/html-tree.ts'
import { outlined } from '../support/make-pdf-examples.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { readPage } from '../support/public-pages.ts'
import { answer, publishPdf, untilRendered, type WirePublication } from '../support/publish.ts'

describePublications('PATCH /publications/:slug', { on: oneDatabase }, async ({ service }) => {
  const patch = (slug: string, body?: unknown, headers?: Record<string, string>) =>
    service.request('PATCH', `/publications/${slug}`, body, headers)
  const change = async (slug: string, body: unknown) => await answer<WirePublication>(await patch(slug, body), 200)

  test('answers 200 with the whole publication, a trimmed title and an unchanged slug', async () => {
    const { slug } = await publishPdf(service, { title: 'Before' })
    const before = await untilRendered(service, slug)

    const changed = await change(slug, { title: '  Après \u{1f3d4} ' })

    assert.equal(changed.title, 'Après \u{1f3d4}')
    assert.equal(changed.slug, slug)
    assert(changed.updated_at > before.updated_at)
    assert.equal(changed.created_at, before.created_at)
  })

  test('changes nothing, not even updated_at, for an empty body or none', async () => {
    const { slug } = await publishPdf(service, { title: 'Unchanged' })
    await untilRendered(service, slug)
    const before = await change(slug, { title: 'Same' })

    const answers = [
      await patch(slug, {}),
      await patch(slug, { title: null, slug: null, unknown: 1 }),
      // Names of columns, which no request may set.
      await patch(slug, { workspace_id: randomUUID(), publish_at_ms: 0, deleted_at: 1, constructor: 1 }),
      await patch(slug),
      await patch(slug, undefined, { 'Content-Type': 'application/json' }),
      await patch(slug, { title: ' Same ', slug }),
    ]

    for (const response of answers) assert.deepEqual(await answer(response, 200), before)
  })

  test('increases updated_at with every change', async () => {
    const { slug } = await publishPdf(service, { title: 'Moving' })
    await untilRendered(service, slug)
    const times: string[] = []

    for (const title of ['A', 'B', 'C', 'D']) times.push((await change(slug, { title })).updated_at)

    assert.deepEqual(times, [...new Set(times)].sort())
  })

  test('states language, author and description to readers and search engines in place of the file', async () => {
    const { slug } = await publishPdf(service, { title: 'Stated', pdf: outlined() })
    await untilRendered(service, slug)

    await change(slug, { language: 'fr', author: 'Ada Lovelace', description: 'Notre année.' })

    const { page } = await readPage(service, `/p/${slug}`)
    assert.match(textOf(findOne(page, 'header')), /Ada Lovelace/)
    assert.equal(findOne(page, 'meta', { name: 'description' }).attributes.content, 'Notre année.')
    const data = JSON.parse(textOf(findOne(page, 'script', { type: 'application/ld+json' })))
    assert.deepEqual([data.inLanguage, data.creator.name], ['fr', 'Ada Lovelace'])
    const read = await answer<WirePublication & { author: string }>(
      await service.request('GET', `/publications/${slug}`),
      200,
    )
    assert.deepEqual([read.language, read.author], ['fr', 'Ada Lovelace'])
  })

  test('the publication is found under its new slug and its former ones', async () => {
    const { slug, id } = await publishPdf(service, { title: 'First name' })

    const changed = await change(slug, { slug: 'second-name' })
    await change(slug, { slug: 'third-name' })

    assert.equal(changed.public_url, `${service.url}/p/second-name`)
    for (const known of ['first-name', 'second-name', 'third-name']) {
      const response = await fetch(`${service.url}/publications/${known}`, { redirect: 'error' })
      const found = await answer<WirePublication>(response, 200)
      assert.deepEqual([found.id, found.slug], [id, 'third-name'])
      await answer(await fetch(`${service.url}/publications/${known}/pdf`), 200)
    }
  })

  test('the publication may take a former slug again', async () => {
    const { slug } = await publishPdf(service, { title: 'There and back' })
    await change(slug, { slug: 'elsewhere' })

    assert.equal((await change('elsewhere', { slug })).slug, slug)
  })

  test('answers 409 for a slug that another publication has or had, and changes nothing', async () => {
    const other = await publishPdf(service, { title: 'Taken' })
    await change(other.slug, { slug: 'taken-now' })
    const { slug } = await publishPdf(service, { title: 'Wanting' })
    const before = await untilRendered(service, slug)

    for (const wanted of ['taken', 'taken-now'])
      await readProblem(await patch(slug, { title: 'New', slug: wanted }), 409, 'CONFLICT')

    assert.deepEqual(await untilRendered(service, slug), before)
  })

  test('gives a slug to one of several concurrent requests', async () => {
    const slugs: string[] = []
    for (let at = 0; at < 4; at++) slugs.push((await publishPdf(service, { title: 'Racing' })).slug)

    const responses = await Promise.all(slugs.map((slug) => patch(slug, { slug: 'finish-line' })))

    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409, 409, 409])
  })

  test('answers 400 for invalid values and other types', async () => {
    const { slug } = await publishPdf(service, { title: 'Strict' })
    const wrong = {
      title: ['', ' ', 't'.repeat(501), 5, []],
      slug: ['', '-a', 'a-', 'a--b', 'A', 'é', 'a b', 'a/b', 'a_b', 'a\n', 'a'.repeat(81), 1, []],
    }

    for (const [field, values] of Object.entries(wrong))
      for (const value of values)
        assert.deepEqual(await wrongPlaces(await patch(slug, { [field]: value })), [field], JSON.stringify(value))
    assert.equal((await change(slug, { slug: 'a'.repeat(80) })).slug, 'a'.repeat(80))
  })
})
