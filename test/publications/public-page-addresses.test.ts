import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findOne, textOf } from '../support/html-tree.ts'
import { readPage, storePages } from '../support/public-pages.ts'

describePublications(
  'addresses below /p/',
  { on: oneDatabase, settings: { PUBLIC_URL: 'https://read.example' } },
  async ({ service, database }) => {
    test('shows the first part if the requested one does not exist', async () => {
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
      const redirects = (await Promise.all(answers)).map((answer) => [answer.status, answer.headers.get('location')])

      const address = `https://read.example/p/${slug}`
      assert.deepEqual(redirects, [
        [308, address],
        [308, address],
        [308, `${address}/embed`],
        [308, `${address}?q=caf%C3%A9&from=2`],
      ])
    })

    test('answers 404 with a message page for an unknown slug', async () => {
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

        assert.equal(textOf(findOne(page, 'h1')), 'Publication not found')
        assert.equal(findOne(page, 'meta', { name: 'robots' }).attributes.content, 'noindex')
        assert.equal(response.headers.get('cache-control'), 'no-store')
        assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'/)
      }
    })

    test('answers 410 with a message page for an unpublished publication', async () => {
      const { slug } = await storePages(service, { publication: { unpublished_at: 1 } })

      const { page } = await readPage(service, `/p/${slug}`, { status: 410, headers: { 'Accept-Language': 'fr' } })

      assert.equal(textOf(findOne(page, 'h1')), 'Cette publication n’est plus disponible')
      assert.equal(page.attributes.lang, 'fr')
      const { href } = findOne(page, 'link', { rel: 'stylesheet' }).attributes
      assert.equal((await fetch(new URL(href, `${service.url}/p/${slug}`))).status, 200)
    })

    test('answers 404 for a deleted publication', async () => {
      const { slug } = await storePages(service, { publication: { deleted_at: 1 } })

      await readPage(service, `/p/${slug}`, { status: 404 })
    })
  },
)
