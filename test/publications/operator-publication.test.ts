import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { OperatorPage } from '../../src/publications/library/pages.ts'
import type { OperatorPublication } from '../../src/publications/library/publication-schemas.ts'
import { damagedPages } from '../support/damaged-pages.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { active, numberedPages, outlined } from '../support/make-pdf-examples.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answer, untilRendered } from '../support/publish.ts'

describeOn(databases, "an operator's publication", async (database, once) => {
  const { service, browser, ask, createWorkspace, publish, upload } = await startLibrary({ after }, database)
  const { id: workspaceId } = await createWorkspace('Communication')

  const read = (id: string) => ask<OperatorPublication>(200, 'GET', `/operator/publications/${id}`)
  const publicStatus = async (slug: string) => (await fetch(`${service.url}/p/${slug}`)).status

  test('has everything its owner should know', async () => {
    const { id, slug } = await publish(workspaceId, 'Active', active())
    await untilRendered(service, slug)

    const publication = await read(id)

    assert.deepEqual(publication.workspace, { id: workspaceId, name: 'Communication' })
    assert.ok(publication.findings.includes('javascript'))
    assert.equal(publication.status, 'ready')
    assert.equal(publication.version, 1)
    assert.equal(publication.embed_url, `${service.url}/p/${slug}/embed`)
    assert.match(publication.embed_html, new RegExp(`^<iframe src="${publication.embed_url}" `))
    assert.equal((await fetch(publication.public_url)).status, 200)
    assert.equal((await fetch(publication.embed_url)).status, 200)
  })

  once('names pages that failed, with reasons, and pages without text', async () => {
    const { id, slug } = await publish(workspaceId, 'Damaged', damagedPages([2], 3))
    await untilRendered(service, slug)

    const { failed_pages } = await read(id)
    const { pages } = await ask<{ pages: OperatorPage[] }>(200, 'GET', `/operator/publications/${id}/pages`)

    assert.deepEqual(
      failed_pages.map(({ page, code }) => [page, code]),
      [[2, 'page_damaged']],
    )
    assert.deepEqual(
      pages.map(({ state }) => state),
      ['ready', 'failed', 'ready'],
    )
    assert.equal(pages[1].failed_reason, failed_pages[0].reason)
    assert.ok(pages[0].text_length! > 0)
  })

  once('names pages without text, but not those that are not rendered yet', async () => {
    const pdf = makePdf({ pages: [{ content: showText('Words') }, { content: '0 0 99 99 re f' }] })
    const { id, slug } = await publish(workspaceId, 'A scan', pdf)
    await untilRendered(service, slug)

    assert.deepEqual((await read(id)).pages_without_text, [2])
  })

  once('every page has an image on this server in two widths', async () => {
    const { id } = await publish(workspaceId, 'With images', numberedPages(2))
    const { pages } = await ask<{ pages: OperatorPage[] }>(200, 'GET', `/operator/publications/${id}/pages`)

    const images = [pages[1].image, pages[1].thumbnail].map((path) => browser.request('GET', path))

    for (const image of await Promise.all(images)) assert.equal(image.status, 200)
    for (const path of [
      `/operator/publications/${id}/pages/3/image`,
      pages[0].image.replace(/version=[^&]*/, `version=${randomUUID()}`),
    ]) {
      await readProblem(await browser.request('GET', path), 404, 'NOT_FOUND')
    }
  })

  once('is renamed, and its former slug still leads to it', async () => {
    const { id, slug } = await publish(workspaceId, 'Old name')

    const changed = await ask<OperatorPublication>(200, 'PATCH', `/operator/publications/${id}`, {
      title: 'New name',
      slug: `new-${slug}`,
    })

    assert.deepEqual([changed.title, changed.slug, changed.former_slugs], ['New name', `new-${slug}`, [slug]])
    assert.equal(await publicStatus(slug), 200)
  })

  once('takes the title that its file states, and else the name of the file', async () => {
    const create = async (pdf: Uint8Array, body: object) => {
      const file = await upload(workspaceId, pdf)
      return await browser.request('POST', `/operator/workspaces/${workspaceId}/publications`, { ...body, ...file })
    }

    const stated = await answer<OperatorPublication>(await create(outlined(), { file_name: 'scan-7' }), 201)
    const named = await answer<OperatorPublication>(await create(numberedPages(1), { file_name: 'scan-7' }), 201)
    const neither = await create(numberedPages(1), {})

    assert.deepEqual([stated.title, named.title], ['Ein Titel', 'scan-7'])
    assert.deepEqual(await wrongPlaces(neither), ['title'])
  })

  test('is to readers as if it did not exist while it is a draft, and then published', async () => {
    const file = await upload(workspaceId)
    const create = `/operator/workspaces/${workspaceId}/publications`

    const draft = await ask<OperatorPublication>(201, 'POST', create, { title: 'Draft', draft: true, ...file })

    const unchanged = await ask<OperatorPublication>(200, 'POST', `/operator/publications/${draft.id}/unpublish`)
    for (const { visibility, unpublished_at } of [draft, unchanged])
      assert.deepEqual([visibility, unpublished_at], ['draft', null])
    assert.equal(await publicStatus(draft.slug), 404)
    const listed = async (visibility: string) =>
      await ask<{ publications: { id: string }[] }>(200, 'GET', `${create}?visibility=${visibility}`)
    const isListed = async (visibility: string) =>
      (await listed(visibility)).publications.some(({ id }) => id === draft.id)
    assert.deepEqual(
      [await isListed('draft'), await isListed('visible'), await isListed('unpublished')],
      [true, false, false],
    )
    const published = await ask<OperatorPublication>(200, 'POST', `/operator/publications/${draft.id}/publish`)
    assert.equal(published.visibility, 'visible')
    assert.equal(await publicStatus(draft.slug), 200)
  })

  once(
    "shows the publisher's own language, author and description, and tells them from those of the file",
    async () => {
      const { id } = await publish(workspaceId, 'Stated', outlined())
      const path = `/operator/publications/${id}`

      const changed = await ask<OperatorPublication>(200, 'PATCH', path, { author: 'Ada', description: 'In short.' })
      const removed = await ask<OperatorPublication>(200, 'PATCH', path, { author: '', language: '' })
      const read = await ask<OperatorPublication>(200, 'GET', path)
      const taken = await ask<OperatorPublication>(200, 'PATCH', path, {
        author_from_file: true,
        language_from_file: true,
      })

      assert.deepEqual([changed.language, changed.author, changed.description], ['de-CH', 'Ada', 'In short.'])
      assert.deepEqual([changed.language_from_file, changed.author_from_file], [true, false])
      assert.equal(changed.file_statements.author, 'Müller')
      for (const { author, language, description } of [removed, read])
        assert.deepEqual([author, language, description], [null, null, 'In short.'])
      assert.deepEqual([taken.author, taken.author_from_file, taken.language], ['Müller', true, 'de-CH'])
      const wrong = await browser.request('PATCH', path, { language: 'French (France)' })
      assert.deepEqual(await wrongPlaces(wrong), ['language'])
    },
  )

  once('refuses the slug of another publication', async () => {
    const [one, other] = [await publish(workspaceId, 'One'), await publish(workspaceId, 'Another')]

    const response = await browser.request('PATCH', `/operator/publications/${one.id}`, { slug: other.slug })

    await readProblem(response, 409, 'CONFLICT')
  })

  test('is unpublished and published again, and operators see its pages meanwhile', async () => {
    const { id, slug, cover } = await publish(workspaceId, 'On and off')

    const withdrawn = await ask<OperatorPublication>(200, 'POST', `/operator/publications/${id}/unpublish`)

    assert.notEqual(withdrawn.unpublished_at, null)
    assert.equal(withdrawn.visibility, 'unpublished')
    assert.equal(await publicStatus(slug), 410)
    assert.equal((await browser.request('GET', cover)).status, 200)
    const again = await ask<OperatorPublication>(200, 'POST', `/operator/publications/${id}/publish`)
    assert.equal(again.unpublished_at, null)
    assert.equal(await publicStatus(slug), 200)
  })

  once('gets a new file', async () => {
    const { id } = await publish(workspaceId, 'Replaced')
    const file = await upload(workspaceId, numberedPages(4))

    const replaced = await ask<OperatorPublication>(200, 'PUT', `/operator/publications/${id}/file`, file)

    assert.deepEqual([replaced.version, replaced.page_count], [2, 4])
  })

  test('is deleted permanently', async () => {
    const { id, slug } = await publish(workspaceId, 'Deleted')

    await ask(204, 'DELETE', `/operator/publications/${id}`)

    assert.equal(await publicStatus(slug), 404)
    await readProblem(await browser.request('GET', `/operator/publications/${id}`), 404, 'NOT_FOUND')
  })

  once('answers 404 at every endpoint for a publication that does not exist', async () => {
    for (const id of [randomUUID(), 'none', '%00']) {
      const path = `/operator/publications/${id}`
      const answers = [
        browser.request('GET', path),
        browser.request('PATCH', path, { title: 'x' }),
        browser.request('DELETE', path),
        browser.request('POST', `${path}/unpublish`),
        browser.request('GET', `${path}/pages`),
        browser.request('GET', `${path}/pages/1/image`),
        browser.request('GET', `${path}/figures`),
      ]
      for (const answer of await Promise.all(answers)) await readProblem(answer, 404, 'NOT_FOUND')
    }
  })
})
