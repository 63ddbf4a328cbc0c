import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { storePublication } from '../support/store-publication.ts'

describePublications(
  'GET /publications/:slug/images',
  { on: oneDatabase, settings: { CDN_URL: 'https://cdn.example/press' } },
  async ({ service }) => {
    const ask = async (slug: string) => await fetch(`${service.url}/publications/${slug}/images`)
    const imagesOf = async (slug: string) => ((await (await ask(slug)).json()) as { images: string[] }).images

    test('lists one address under CDN_URL for each page, in page order', async () => {
      const { slug, versionId } = await storePublication(service, { pageCount: 12 })

      const response = await ask(slug)

      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      const answer = (await response.json()) as { images: string[] }
      assert.deepEqual(Object.keys(answer), ['images'])
      const pattern = new RegExp(`^https://cdn\\.example/press/images/${versionId}/0-(\\d+)-[\\w-]{22}$`)
      assert.deepEqual(
        answer.images.map((address) => Number(pattern.exec(address)?.[1])),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      )
    })

    test('lists all pages before any is rendered, and the same addresses afterwards', async () => {
      const { slug, id } = await storePublication(service, { pageCount: 3, version: { status: 'processing' } })
      const { db } = service.server.publications!.deps

      const early = await imagesOf(slug)
      await db
        .updateTable('versions')
        .set({ status: 'ready' as const, pages_ready: 3 })
        .where('publication_id', '=', id)
        .execute()
      const later = await imagesOf(slug)

      assert.equal(early.length, 3)
      assert.deepEqual(later, early)
    })

    test('lists other addresses for the same file in another publication', async () => {
      const [one, other] = [await storePublication(service), await storePublication(service)]

      const [[first], [second]] = [await imagesOf(one.slug), await imagesOf(other.slug)]

      assert.equal(one.sha256, other.sha256)
      assert.notEqual(first.slice(-22), second.slice(-22))
    })

    test('lists other addresses after the publication was unpublished and published again', async () => {
      const { slug, id } = await storePublication(service)
      const { db } = service.server.publications!.deps

      const [before] = await imagesOf(slug)
      await db.updateTable('publications').set({ epoch: 1 }).where('id', '=', id).execute()
      const [afterwards] = await imagesOf(slug)

      assert.notEqual(before.slice(-22), afterwards.slice(-22))
    })

    test('lists the addresses of 5,000 pages', async () => {
      const { slug } = await storePublication(service, { pageCount: 5000 })

      assert.equal(new Set(await imagesOf(slug)).size, 5000)
    })

    test('answers under a former slug, without a redirect', async () => {
      await storePublication(service, { slug: 'new-name', formerSlugs: ['old-name'] })

      assert.deepEqual(await imagesOf('old-name'), await imagesOf('new-name'))
    })

    test('ignores the Host header in the addresses', async () => {
      const { slug } = await storePublication(service)

      const { body } = await sendBytes(`${service.url}/publications/${slug}/images`, {
        headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
      })

      assert.ok(body.includes('https://cdn.example/press/images/'))
      assert.ok(!body.includes('evil'))
    })

    test('answers 404 NOT_FOUND for an unknown slug and 410 GONE for an unpublished publication', async () => {
      const { slug } = await storePublication(service, { publication: { unpublished_at: Date.now(), epoch: 1 } })

      await readProblem(await ask('unknown'), 404, 'NOT_FOUND')
      await readProblem(await ask(slug), 410, 'GONE')
    })
  },
)
