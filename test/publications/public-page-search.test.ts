import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeOn, describePublications } from '../support/describe-service.ts'
import { findAll, findOne, textOf } from '../support/html-tree.ts'
import { readPage, storePages } from '../support/public-pages.ts'
import { startService } from '../support/start-service.ts'

describePublications('GET /p/:slug?q=', { on: oneDatabase }, async ({ service }) => {
  const found = async (slug: string, query: string, headers = {}) => {
    const { page, response } = await readPage(service, `/p/${slug}?${query}`, { headers })
    const [section] = findAll(page, 'section', { class: 'found' })
    return { section, text: section && textOf(section).replace(/\s+/g, ' ').trim(), response }
  }

  test('lists the pages on which the text occurs, and marks it', async () => {
    const { slug } = await storePages(service, {
      pages: [{ text: 'A cat' }, { text: 'A dog' }, { text: 'Two cats' }],
    })

    const { section, text, response } = await found(slug, 'q=CAT')

    assert.equal(text, 'Search results for “CAT” 2 matches on 2 pages. Page 1 A cat Page 3 Two cats')
    assert.deepEqual(
      findAll(section, 'a').map(({ attributes }) => attributes.href),
      ['#page-1', '#page-3'],
    )
    assert.deepEqual(findAll(section, 'mark').map(textOf), ['cat', 'cat'])
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('etag'), null)
  })

  test('says when there is nothing to find, or nothing to search', async () => {
    const { slug } = await storePages(service)
    const scan = await storePages(service, { pages: [{ text: '' }] })

    assert.equal((await found(slug, 'q=owl')).text, 'Search results for “owl” No matches.')
    assert.match((await found(scan.slug, 'q=owl')).text, /This document has no text to search/)
    assert.match(
      (await found(scan.slug, 'q=owl', { 'accept-language': 'fr' })).text,
      /Ce document ne contient pas de texte : ses pages sont des images/,
    )
  })

  test('writes a hostile query as text', async () => {
    const { slug } = await storePages(service)

    const { section } = await found(slug, `q=${encodeURIComponent('"><script>alert(1)</script>')}`)

    assert.equal(textOf(findOne(section, 'bdi')), '"><script>alert(1)</script>')
    assert.deepEqual(findAll(section, 'script'), [])
  })

  test('is the ordinary page for an empty query or one that is no text', async () => {
    const { slug } = await storePages(service)

    for (const query of ['q=', 'q=%20', 'q=a&q=b', 'from=1'])
      assert.equal((await found(slug, query)).section, undefined)
  })

  test('links to pages in other parts of a long document', async () => {
    const pages = Array.from({ length: 405 }, (_, at) => ({ text: at === 402 ? 'A treasure' : 'A page' }))
    const { slug } = await storePages(service, { pages })

    const { section } = await found(slug, 'q=treasure')

    assert.match(findOne(section, 'a').attributes.href, /\/p\/[^/]+\?from=401#page-403$/)
  })
})

describeOn(oneDatabase, 'GET /p/:slug?q= beyond the rate limit', async (database) => {
  const service = await startService({ after }, database, {
    services: ['publications'],
    settings: { PUBLICATIONS_RATE_LIMIT: '1' },
  })

  test('shows the page, and says why there was no search', async () => {
    const { slug } = await storePages(service)
    const texts = await Promise.all(
      Array.from({ length: 4 }, async () => (await readPage(service, `/p/${slug}?q=page`)).html),
    )

    assert.ok(texts.some((html) => html.includes('Too many requests have come from your network.')))
    assert.ok(texts.every((html) => html.includes('id="page-1"')))
  })
})
