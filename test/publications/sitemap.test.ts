import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sitemapIndex } from '../../src/publications/public-pages/sitemap.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findAll, parseXml, textOf } from '../support/html-tree.ts'
import { storePages } from '../support/public-pages.ts'

const ADDRESSES = { PUBLIC_URL: 'https://read.example/a&b' }

describePublications('GET /sitemap.xml', { on: oneDatabase, settings: ADDRESSES }, async ({ service }) => {
  test('lists public, finished publications, oldest first, with the time of their last change', async () => {
    const at = (ms: number) => ({ created_at: ms, updated_at: ms + 1000 })
    const late = await storePages(service, { publication: at(2000) })
    const early = await storePages(service, { publication: at(1000) })
    await storePages(service, { publication: { unpublished_at: 1 } })
    await storePages(service, { publication: { deleted_at: 1 } })
    await storePages(service, { version: { status: 'processing' } })
    await storePages(service, { version: { status: 'failed' } })

    const response = await fetch(`${service.url}/sitemap.xml`)
    const map = parseXml(await response.text())

    assert.equal(response.headers.get('content-type'), 'application/xml; charset=utf-8')
    assert.equal(map.attributes.xmlns, 'http://www.sitemaps.org/schemas/sitemap/0.9')
    assert.deepEqual(findAll(map, 'loc').map(textOf), [
      `https://read.example/a&b/p/${early.slug}`,
      `https://read.example/a&b/p/${late.slug}`,
    ])
    assert.deepEqual(findAll(map, 'lastmod').map(textOf), ['1970-01-01T00:00:02.000Z', '1970-01-01T00:00:03.000Z'])
  })

  test('is the same as /sitemaps/1.xml if one sitemap is enough', async () => {
    const [whole, first, second] = await Promise.all(
      ['/sitemap.xml', '/sitemaps/1.xml', '/sitemaps/2.xml'].map((path) => fetch(service.url + path)),
    )

    assert.equal(await first.text(), await whole.text())
    assert.equal(second.status, 404)
  })

  test('is named in robots.txt', async () => {
    const response = await fetch(`${service.url}/robots.txt`)

    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    const lines = (await response.text()).split('\n')
    assert.ok(lines.includes('Sitemap: https://read.example/a&b/sitemap.xml'))
    assert.ok(lines.includes('Disallow: /publications/'))
  })
})

describe('sitemapIndex', () => {
  test('lists every sitemap', () => {
    const index = parseXml(sitemapIndex('https://read.example', 3))

    assert.equal(index.name, 'sitemapindex')
    assert.deepEqual(
      findAll(index, 'loc').map(textOf),
      [1, 2, 3].map((number) => `https://read.example/sitemaps/${number}.xml`),
    )
  })
})
