import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { findOne, textOf } from '../support/html-tree.ts'
import { readPage, storePages } from '../support/public-pages.ts'
import { startPublications } from '../support/start-service.ts'

for (const database of databases) {
  describe(`An address below /p/ on ${database.name}`, async () => {
    const service = await startPublications({ after }, database, { PUBLIC_URL: 'https://read.example' })

    test('begins at the beginning where there is no such part', async () => {
      const { slug } = await storePages(service)

      for (const from of ['0', '2', '-1', 'x', '1e3', '99999999999999999999', '1&from=2']) {
        const { page } = await readPage(service, `/p/${slug}?from=${from}`)

        assert.equal(findOne(page, 'link', { rel: 'canonical' }).attributes.href, `https://read.example/p/${slug}`)
      }
    })

    test('redirects from a former slug, in all its forms', async () => {
      const { slug } = await storePages(service, { formerSlugs: [`before-${database.name.toLowerCase()}`] })
      const former = `before-${database.name.toLowerCase()}`

      const answers = ['', '/', '/embed', '?q=caf%C3%A9&from=2'].map((rest) =>
        fetch(`${service.url}/p/${former}${rest}`, { redirect: 'manual' }),
      )
      const places = (await Promise.all(answers)).map((answer) => [answer.status, answer.headers.get('location')])

      const address = `https://read.example/p/${slug}`
      assert.deepEqual(places, [
        [308, address],
        [308, address],
        [308, `${address}/embed`],
        [308, `${address}?q=caf%C3%A9&from=2`],
      ])
    })

    test('says on a page that there is nothing at an unknown slug', async () => {
      const slugs = [
        'unknown',
        'UNKNOWN',
        '%00',
        '%F0%9F%92%A5',
        'a'.repeat(5_000),
        'unknown/below/it',
        '%',
        '%/embed',
        '%ff',
      ]
      for (const slug of slugs) {
        const { page, response } = await readPage(service, `/p/${slug}`, { status: 404 })

        assert.equal(textOf(findOne(page, 'h1')), 'There is no publication here')
        assert.equal(findOne(page, 'meta', { name: 'robots' }).attributes.content, 'noindex')
        assert.equal(response.headers.get('cache-control'), 'no-store')
        assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'/)
      }
    })

    test('says on a page that a publication has been withdrawn', async () => {
      const { slug } = await storePages(service, { publication: { unpublished_at: 1 } })

      const { page } = await readPage(service, `/p/${slug}`, { status: 410, headers: { 'Accept-Language': 'fr' } })

      assert.equal(textOf(findOne(page, 'h1')), 'Cette publication a été retirée')
      assert.equal(page.attributes.lang, 'fr')
      const { href } = findOne(page, 'link', { rel: 'stylesheet' }).attributes
      assert.equal((await fetch(new URL(href, `${service.url}/p/${slug}`))).status, 200)
    })

    test('shows nothing any more of what has been deleted', async () => {
      const { slug } = await storePages(service, { publication: { deleted_at: 1 } })

      await readPage(service, `/p/${slug}`, { status: 404 })
    })
  })
}
