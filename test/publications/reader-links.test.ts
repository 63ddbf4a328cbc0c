import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answer, publishPdf, untilRendered } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

type Link = { id: string; url: string; name: string | null; preview: boolean; expires_at: string | null }

describeOn(databases, 'reader links', async (database, once) => {
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

  once('the page exchanges the link for cookies of this publication and leads to the clean address', async () => {
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

  once('opens every route of its publication, by cookie, address or header, and of no other', async () => {
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
    const { links } = await answer<{ links: Link[] }>(await service.request('GET', `/publications/${slug}/links`), 200)
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

  once('opens nothing of a draft or an unpublished one, which a preview link does, without being counted', async () => {
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
      const text = await page.text()
      assert.match(text, /Readers do not see this page yet/)
      assert.equal(/Published |datePublished/.test(text), one === slug)
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

  once('a link of a public publication only leads to it, and an unknown one is as none', async () => {
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

  test('has a password of its own, in place of that of the publication, and another one ends what it opened', async () => {
    const slug = await publish('Twice locked')
    await answer(await service.request('PATCH', `/publications/${slug}`, { password: 'of the publication' }), 200)
    const link = await createLink(slug, { password: 'of the link' })
    const basic = (password: string) => `Basic ${Buffer.from(`:${password}`).toString('base64')}`
    const status = async (password: string) =>
      (await read(`/publications/${slug}`, { ...cookieOf(link), authorization: basic(password) })).status
    const give = async (password: string) =>
      await fetch(`${url}/p/${slug}/password`, {
        method: 'POST',
        redirect: 'manual',
        headers: cookieOf(link),
        body: new URLSearchParams({ password }),
      })

    assert.equal((await read(`/p/${slug}?link=${tokenOf(link)}`)).status, 302)
    assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 401)
    assert.deepEqual([await status('of the publication'), await status('of the link')], [401, 200])
    const given = await give('of the link')
    assert.equal(given.status, 303)
    const cookie = `${cookieOf(link).cookie}; ${given.headers.getSetCookie()[0].split(';')[0]}`
    assert.equal((await read(`/p/${slug}`, { cookie })).status, 200)
    const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`, { cookie }), 200)
    assert.equal((await read(images[0])).status, 200)
    const path = `/publications/${slug}/links/${link.id}`
    const { has_password } = await answer<{ has_password: boolean }>(
      await service.request('PATCH', path, { password: 'another of it' }),
      200,
    )
    assert.equal(has_password, true)
    assert.equal((await read(`/p/${slug}`, { cookie })).status, 401)
    assert.equal((await read(images[0])).status, 410)
    await answer(await service.request('PATCH', path, { password: null }), 200)
    assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 200)
  })

  test('says whether its holders get the PDF, and changes at once', async () => {
    const slug = await publish('With or without')
    const link = await createLink(slug, { allow_download: false, expires_at: new Date(nowMs + 60_000).toISOString() })
    const path = `/publications/${slug}/links/${link.id}`
    const patch = async (body: object) =>
      await answer<Link & { allow_download: boolean | null }>(await service.request('PATCH', path, body), 200)
    const statuses = async () =>
      await Promise.all(
        ['pdf', 'download'].map(async (name) => (await read(`/publications/${slug}/${name}`, cookieOf(link))).status),
      )

    assert.deepEqual(await statuses(), [403, 403])
    assert.doesNotMatch(await (await read(`/p/${slug}`, cookieOf(link))).text(), /\/download/)
    assert.equal((await patch({ allow_download: true })).allow_download, true)
    await answer(await service.request('PATCH', `/publications/${slug}`, { allow_download: false }), 200)
    assert.deepEqual(await statuses(), [200, 302])
    assert.equal((await patch({ allow_download: null, name: 'Renamed' })).name, 'Renamed')
    assert.deepEqual(await statuses(), [403, 403])
    nowMs += 61_000
    assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 404)
    assert.equal((await patch({ expires_at: null })).expires_at, null)
    assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 200)
    const unknown = await service.request('PATCH', `/publications/${slug}/links/nothing`, {})
    await readProblem(unknown, 404, 'NOT_FOUND')
  })

  test('its stream of events ends when it is revoked', async () => {
    const slug = await publish('Followed')
    const { id } = await answer<{ id: string }>(await service.request('PATCH', `/publications/${slug}`, {}), 200)
    const { db } = service.server.publications!.deps
    await db
      .updateTable('versions')
      .set({ pages_ready: 0, status: 'processing' })
      .where('publication_id', '=', id)
      .execute()
    const [link, kept] = [await createLink(slug), await createLink(slug)]
    const open = async (held: Link) => await read(`/publications/${slug}/events`, cookieOf(held))
    const [stream, other] = [await open(link), await open(kept)]
    assert.deepEqual([stream.status, other.status], [200, 200])

    await answer(await service.request('DELETE', `/publications/${slug}/links/${link.id}`), 204)

    assert.match(await stream.text(), /event: progress/)
    assert.equal((await open(kept)).status, 200)
    await other.body?.cancel()
  })

  test('has figures of its own, which count for the publication as well, and end with it', async () => {
    const slug = await publish('Counted')
    const [board, press] = [await createLink(slug, { name: '=Board' }), await createLink(slug, { name: 'Press' })]
    const visit = async (link: Link, agent: string) =>
      await read(`/p/${slug}`, { ...cookieOf(link), 'user-agent': `Mozilla/5.0 ${agent}` })
    const { figureCounter, db } = service.server.publications!.deps
    const path = `/publications/${slug}/links`
    const listed = async () => {
      await figureCounter.store()
      const { links } = await answer<{ links: (Link & { figures: object })[] }>(await service.request('GET', path), 200)
      return new Map(links.map(({ id, figures }) => [id, figures]))
    }

    for (const agent of ['Firefox/140.0', 'Firefox/140.0', 'Safari/604.1']) await visit(board, agent)
    await answer(
      await fetch(`${url}/publications/${slug}/reading`, {
        method: 'POST',
        headers: {
          ...cookieOf(board),
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 Firefox/140.0',
        },
        body: JSON.stringify({ pages: [1], seconds: 30 }),
      }),
      204,
    )

    const day = new Date(nowMs).toISOString().slice(0, 10)
    const figures = { views: 3, readers: 2, pages: 1, seconds: 30, downloads: 0, last_seen: day }
    const none = { views: 0, readers: 0, pages: 0, seconds: 0, downloads: 0, last_seen: null }
    const links = await listed()
    assert.deepEqual([links.get(board.id), links.get(press.id)], [figures, none])
    const csv = await (await service.request('GET', `${path}?format=csv`)).text()
    assert.match(csv, /^name,created_at,expires_at,views,readers,pages,seconds,downloads,last_seen\r\n/)
    assert.match(csv, new RegExp(`\r\n'=Board,[^,]+,,3,2,1,30,0,${day}\r\n`))
    const rowsOf = async (id: string) =>
      await Promise.all(
        (['reading_figures', 'day_readers'] as const).map(
          async (table) => await db.selectFrom(table).selectAll().where('publication_id', '=', id).execute(),
        ),
      )
    const { id } = await answer<{ id: string }>(await service.request('PATCH', `/publications/${slug}`, {}), 200)
    const [publicationFigures, publicationReaders] = await rowsOf(id)
    assert.deepEqual(
      publicationFigures.flatMap(({ kind, amount }) => (kind === 'views' ? [amount] : [])),
      [3],
    )
    const [, linkReaders] = await rowsOf(board.id)
    const hashes = [...publicationReaders, ...linkReaders].map((row) => 'reader' in row && row.reader)
    assert.equal(new Set(hashes).size, 4, 'a reader of a link is not to be found among those of the publication')

    await answer(await service.request('DELETE', `${path}/${board.id}`), 204)
    await visit(board, 'Firefox/140.0')
    assert.equal((await listed()).has(board.id), false)
    assert.deepEqual(await rowsOf(board.id), [[], []])
    await visit(press, 'Firefox/140.0')
    assert.equal((await listed()).size, 1)
    await answer(await service.request('DELETE', `/publications/${slug}`), 204)
    const { deletionWorker } = service.server.publications!.deps
    nowMs += 10 * 60_000
    await deletionWorker.sweep()
    assert.deepEqual(
      [await rowsOf(press.id), await rowsOf(id)],
      [
        [[], []],
        [[], []],
      ],
    )
  })

  test('figures of a link are read by its workspace alone, and added to by whoever holds that link', async () => {
    const slug = await publish('Counted for one')
    const other = await publish('Counted elsewhere')
    const [board, press] = [await createLink(slug), await createLink(slug)]
    const [elsewhere, revoked] = [await createLink(other), await createLink(slug)]
    const preview = await createLink(slug, { preview: true })
    await answer(await service.request('DELETE', `/publications/${slug}/links/${revoked.id}`), 204)
    const { api_key } = await service.createWorkspace('Curious')
    const { figureCounter, db } = service.server.publications!.deps
    const send = async (path: string, headers: Record<string, string>, body?: object) => {
      const json = { 'user-agent': 'Mozilla/5.0 Firefox/140.0', ...(body && { 'content-type': 'application/json' }) }
      const init = { headers: { ...json, ...headers }, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
      const response = await fetch(url + path, { redirect: 'manual', ...init })
      return { status: response.status, text: await response.text() }
    }
    await send(`/p/${slug}`, cookieOf(board))
    await figureCounter.store()

    const strangers: Record<string, string>[] = [
      {},
      cookieOf(board),
      { authorization: `Bearer ${tokenOf(board)}` },
      { 'x-api-key': api_key },
    ]
    for (const headers of strangers)
      for (const query of ['', '?format=csv', `?link=${tokenOf(board)}`]) {
        const { status, text } = await send(`/publications/${slug}/links${query}`, headers)
        assert.equal(status, 'x-api-key' in headers ? 404 : 401)
        assert.doesNotMatch(text, /views|readers|last_seen/)
      }
    const report = { pages: [1], seconds: 30 }
    const forged: [Record<string, string>, object?][] = [
      [{}],
      [cookieOf(elsewhere)],
      [cookieOf(revoked)],
      [{ authorization: `Bearer ${tokenOf(elsewhere)}` }],
      [{ cookie: `trackpress_link=${board.id}` }],
      [{ 'x-api-key': api_key }, { ...report, link_id: board.id, linkId: board.id }],
    ]
    for (const [headers, body] of forged)
      assert.equal((await send(`/publications/${slug}/reading`, headers, body ?? report)).status, 404)
    assert.equal((await send(`/publications/${slug}/reading`, cookieOf(preview), report)).status, 204)
    const named = { ...report, link_id: board.id, publication_id: other }
    assert.equal((await send(`/publications/${slug}/reading`, cookieOf(press), named)).status, 204)

    await figureCounter.store()
    const rows = await db.selectFrom('reading_figures').selectAll().execute()
    const of = (link: Link) =>
      rows.flatMap((row) => (row.publication_id === link.id ? [`${row.kind} ${row.amount}`] : [])).sort()
    assert.deepEqual(
      [of(board), of(press)],
      [
        ['readers 1', 'views 1'],
        ['page 1', 'seconds 30'],
      ],
    )
    assert.deepEqual([elsewhere, revoked, preview].map(of), [[], [], []])
  })

  test('are deleted with their publication', async () => {
    const slug = await publish('Short-lived')
    const link = await createLink(slug)

    await answer(await service.request('DELETE', `/publications/${slug}`), 204)

    assert.equal((await read(`/p/${slug}`, cookieOf(link))).status, 404)
  })
})
