import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answer, publishPdf, untilRendered } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

type Link = { id: string; url: string; name: string | null; preview: boolean; expires_at: string | null }

for (const database of databases) {
  describe(`reader links on ${database.name}`, async () => {
    let nowMs = Date.UTC(2026, 4, 3, 8)
    const service = await startService({ after }, database, { services: ['publications'], now: () => nowMs })
    const { url } = service
    const read = (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(path, url), { headers, redirect: 'manual' })
    const publish = async (
      title: string,
      options: { access?: 'restricted'; draft?: boolean } = { access: 'restricted' },
    ) => {
      const { slug } = await publishPdf(service, { title })
      await untilRendered(service, slug)
      if (options.access) await answer(await service.request('PATCH', `/publications/${slug}`, options), 200)
      return slug
    }
    const createLink = async (slug: string, body: object = {}) =>
      await answer<Link>(await service.request('POST', `/publications/${slug}/links`, body), 201)
    const tokenOf = (link: Link) => new URL(link.url).searchParams.get('link')!
    const cookieOf = (link: Link) => ({ cookie: `other=1; trackpress_link=${tokenOf(link)}` })
    const readable = (slug: string) => [
      `/p/${slug}`,
      `/p/${slug}/embed`,
      `/p/${slug}/text/1`,
      `/publications/${slug}`,
      `/publications/${slug}/pdf`,
      `/publications/${slug}/images`,
      `/publications/${slug}/download`,
      `/publications/${slug}/events`,
      `/publications/${slug}/pages/1`,
      `/publications/${slug}/search?q=Page`,
    ]
    const statusesOf = async (slug: string, headers: Record<string, string>) =>
      await Promise.all(
        readable(slug).map(async (path) => {
          const response = await read(path, headers)
          await response.body?.cancel()
          return response.status
        }),
      )
    const addressesFor = async (slug: string, link: Link) => {
      const headers = { authorization: `Bearer ${tokenOf(link)}` }
      const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`, headers), 200)
      const pdf = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`, headers), 200)
      return [images[0], `${images[0]}/600.webp`, pdf.url]
    }

    test('the page exchanges the link for cookies of this publication and leads to the clean address', async () => {
      const slug = await publish('Exchanged')
      const link = await createLink(slug, { name: ' The board ' })

      const response = await read(`${new URL(link.url).pathname}${new URL(link.url).search}&from=1`)

      assert.deepEqual([link.name, link.preview, link.expires_at], ['The board', false, null])
      assert.equal(response.status, 302)
      assert.equal(response.headers.get('location'), `${url}/p/${slug}?from=1`)
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
      assert.equal(response.headers.get('cache-control'), 'no-store')
      const cookies = response.headers.getSetCookie()
      assert.deepEqual(
        cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1]),
        [`/p/${slug}`, `/publications/${slug}`],
      )
      for (const cookie of cookies) assert.match(cookie, /^trackpress_link=lnk_[\w-]{43}; .*HttpOnly; SameSite=Lax/)
    })

    test('opens every route of its publication, by cookie, address or header, and of no other', async () => {
      const [slug, other] = [await publish('Mine'), await publish('Not mine')]
      const link = await createLink(slug)

      const opened = [cookieOf(link), { authorization: `Bearer ${tokenOf(link)}` }]

      for (const headers of opened) {
        assert.ok((await statusesOf(slug, headers)).every((status) => status === 200 || status === 302))
        assert.deepEqual([...new Set(await statusesOf(other, headers))], [404])
      }
      assert.equal((await read(`/publications/${slug}?link=${tokenOf(link)}`)).status, 200)
      assert.equal((await read(`/p/${other}?link=${tokenOf(link)}`)).status, 404)
      assert.deepEqual([...new Set(await statusesOf(slug, {}))], [404])
      for (const address of await addressesFor(slug, link)) {
        const response = await read(address)
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('cache-control'), 'private, no-store')
      }
      const page = await (await read(`/p/${slug}`, cookieOf(link))).text()
      assert.equal(page.includes(tokenOf(link)), false)
      assert.match(page, /<meta name="robots" content="noindex">/)
    })

    test('a revoked link ends at once, with the addresses that were issued for it, and no other link does', async () => {
      const slug = await publish('Revoked')
      const [one, other] = [await createLink(slug, { name: 'One' }), await createLink(slug, { name: 'Other' })]
      const [ended, kept] = [await addressesFor(slug, one), await addressesFor(slug, other)]
      const listed = await answer<{ links: Link[] }>(await service.request('GET', `/publications/${slug}/links`), 200)
      assert.equal(JSON.stringify(listed).includes('lnk_'), false)

      await answer(await service.request('DELETE', `/publications/${slug}/links/${one.id}`), 204)

      assert.deepEqual([...new Set(await statusesOf(slug, cookieOf(one)))], [404])
      for (const address of ended) assert.equal((await read(address)).status, 404)
      for (const address of kept) assert.equal((await read(address)).status, 200)
      const { links } = await answer<{ links: Link[] }>(
        await service.request('GET', `/publications/${slug}/links`),
        200,
      )
      assert.deepEqual(
        links.map(({ name }) => name),
        ['Other'],
      )
      await readProblem(await service.request('DELETE', `/publications/${slug}/links/${one.id}`), 404, 'NOT_FOUND')
    })

    test('ends at its time, and its addresses within it', async () => {
      const slug = await publish('Timed')
      const link = await createLink(slug, { keep_sec: 120 })
      const addresses = await addressesFor(slug, link)

      nowMs += 121_000

      assert.deepEqual([...new Set(await statusesOf(slug, cookieOf(link)))], [404])
      for (const address of addresses) assert.equal((await read(address)).status, 404)
    })

    test('opens nothing of a draft or an unpublished one, which a preview link does, without being counted', async () => {
      const slug = await publish('Previewed', {})
      await answer(await service.request('POST', `/publications/${slug}/unpublish`), 200)
      const { slug: draft } = await publishPdf(service, { title: 'A draft', draft: true })
      const preview = { preview: true }
      const [link, previewed] = [await createLink(slug), await createLink(slug, preview)]
      const [draftLink, draftPreview] = [await createLink(draft), await createLink(draft, preview)]

      assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 410)
      assert.equal((await read(`/p/${draft}`, cookieOf(draftLink))).status, 404)
      for (const [one, held] of [
        [slug, previewed],
        [draft, draftPreview],
      ] as const) {
        const page = await read(`/p/${one}`, { ...cookieOf(held), 'user-agent': 'Mozilla/5.0 Firefox/140.0' })
        assert.equal(page.status, 200)
        assert.match(await page.text(), /Readers do not see this page yet/)
      }
      const { figureCounter, db } = service.server.publications!.deps
      await figureCounter.store()
      const counted = await db
        .selectFrom('reading_figures')
        .select('publication_id')
        .where('kind', '=', 'views')
        .execute()
      const { id } = await answer<{ id: string }>(await service.request('PATCH', `/publications/${draft}`, {}), 200)
      assert.equal(
        counted.some(({ publication_id }) => publication_id === id),
        false,
      )
    })

    test('a link of a public publication only leads to it, and an unknown one is as none', async () => {
      const slug = await publish('Open to all', {})
      const hidden = await publish('Closed')
      const link = await createLink(slug)

      const response = await read(`/p/${slug}?link=${tokenOf(link)}`)
      const unknown = `lnk_${'a'.repeat(43)}`

      assert.deepEqual([response.status, response.headers.getSetCookie()], [302, []])
      for (const wrong of [unknown, `${tokenOf(link)}x`, '', "' or 1=1"]) {
        assert.equal((await read(`/p/${slug}?link=${encodeURIComponent(wrong)}`)).status, 302)
        assert.equal((await read(`/p/${hidden}?link=${encodeURIComponent(wrong)}`)).status, 404)
        assert.equal((await read(`/p/${hidden}`, { cookie: `trackpress_link=${unknown}` })).status, 404)
      }
    })

    test('the endpoints need the key of the workspace, and refuse wrong bodies', async () => {
      const slug = await publish('Guarded')
      const { api_key } = await service.createWorkspace('Another')

      const foreign = await service.request('POST', `/publications/${slug}/links`, {}, { 'X-API-Key': api_key })

      await readProblem(foreign, 404, 'NOT_FOUND')
      assert.equal((await read(`/publications/${slug}/links`)).status, 401)
      const wrong = await service.request('POST', `/publications/${slug}/links`, { keep_sec: 1, name: 5, preview: 'x' })
      assert.deepEqual((await wrongPlaces(wrong)).sort(), ['keep_sec', 'name', 'preview'])
    })

    test('are deleted with their publication', async () => {
      const slug = await publish('Short-lived')
      const link = await createLink(slug)

      await answer(await service.request('DELETE', `/publications/${slug}`), 204)

      assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 404)
    })
  })
}
