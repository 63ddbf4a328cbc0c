import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePublications } from '../support/describe-service.ts'
import { findAll, findOne, textOf } from '../support/html-tree.ts'
import { readPage, storePages } from '../support/public-pages.ts'

const ADDRESSES = { BASE_URL: 'https://api.example', PUBLIC_URL: 'https://read.example' }
const box = { x: 0, y: 0, width: 0.5, height: 0.5 }

describePublications('GET /p/:slug/embed', { settings: ADDRESSES }, async ({ service }) => {
  test('may be framed by any site, unlike the whole page', async () => {
    const { slug } = await storePages(service)

    const embedded = await readPage(service, `/p/${slug}/embed`)
    const whole = await readPage(service, `/p/${slug}`)

    const policies = [embedded, whole].map(({ response }) => response.headers.get('content-security-policy')!)
    assert.match(policies[0], /frame-ancestors \*$/)
    assert.match(policies[1], /frame-ancestors 'none'$/)
    assert.equal(embedded.response.headers.get('x-frame-options'), null)
    assert.equal(whole.response.headers.get('x-frame-options'), 'DENY')
  })

  test('has the pages with their text, and a link to the whole page outside the frame', async () => {
    const { slug } = await storePages(service, { title: 'Framed', pages: [{ text: 'One' }, { text: 'Two' }] })

    const { page } = await readPage(service, `/p/${slug}/embed`)

    assert.equal(textOf(findOne(page, 'h1')), 'Framed')
    assert.deepEqual(findAll(page, 'div', { class: 'text' }).map(textOf), ['One', 'Two'])
    const { target, rel } = findOne(page, 'a', { href: `https://read.example/p/${slug}` }).attributes
    assert.deepEqual([target, rel], ['_blank', 'noopener'])
  })

  test('begins with one page at a time, or with the view in its address, unlike the whole page', async () => {
    const { slug } = await storePages(service)
    const viewOf = async (path: string) => {
      const { page } = await readPage(service, `/p/${slug}${path}`)
      return findAll(page, 'meta', { name: 'first-view' }).map(({ attributes }) => attributes.content)
    }

    const views = ['/embed', '/embed?view=book', '/embed?view=scroll', '/embed?view=x', '', '?view=book'].map(viewOf)

    assert.deepEqual(await Promise.all(views), [['slides'], ['book'], [], ['slides'], [], []])
  })

  test('opens links to other sites outside the frame, and links to pages inside it', async () => {
    const links = [
      { ...box, uri: 'https://example.org/' },
      { ...box, page: 401 },
    ]
    const { slug } = await storePages(service, { pages: [{ links }], pageCount: 500 })

    const { page } = await readPage(service, `/p/${slug}/embed`)

    assert.equal(findOne(page, 'a', { href: 'https://example.org/' }).attributes.target, '_blank')
    findOne(page, 'a', { href: `https://read.example/p/${slug}/embed?from=401#page-401` })
  })

  test('is not indexed in place of the whole page', async () => {
    const { slug } = await storePages(service)

    const { page } = await readPage(service, `/p/${slug}/embed`)

    assert.equal(findOne(page, 'meta', { name: 'robots' }).attributes.content, 'noindex')
    assert.equal(findOne(page, 'link', { rel: 'canonical' }).attributes.href, `https://read.example/p/${slug}`)
  })

  test('links to a stylesheet that exists', async () => {
    const { slug } = await storePages(service)
    const { page } = await readPage(service, `/p/${slug}/embed`)

    const { href } = findOne(page, 'link', { rel: 'stylesheet' }).attributes
    const style = await fetch(new URL(href, `${service.url}/p/${slug}/embed`))

    assert.equal(style.status, 200)
  })

  test('answers 404 and 410 with a message page that may be framed', async () => {
    const { slug } = await storePages(service, { publication: { unpublished_at: 1 } })

    const unknown = await readPage(service, '/p/unknown/embed', { status: 404 })
    const unpublished = await readPage(service, `/p/${slug}/embed`, { status: 410 })

    for (const { response, page } of [unknown, unpublished]) {
      assert.match(response.headers.get('content-security-policy')!, /frame-ancestors \*$/)
      const { href } = findOne(page, 'link', { rel: 'stylesheet' }).attributes
      assert.equal((await fetch(new URL(href, `${service.url}/p/${slug}/embed`))).status, 200)
    }
    assert.equal(textOf(findOne(unpublished.page, 'h1')), 'This publication is no longer available')
  })
})
