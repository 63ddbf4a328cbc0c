import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRemovalStore } from '../../src/publications/documents/removal-store.ts'
import type { LibraryFigures, ReadingFigures } from '../../src/publications/figures/schemas.ts'
import type { LibraryPage } from '../../src/publications/library/library-schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { untilRendered } from '../support/publish.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const OTHER_BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1'
const PROXY = { TRUSTED_PROXIES: '127.0.0.1,::1' }

describeOn(databases, 'reading figures', async (database, once) => {
  const { service, browser, ask, createWorkspace, publish } = await startLibrary({ after }, database, {
    settings: PROXY,
  })
  const { deps } = service.server.publications!
  const { figureCounter, db } = deps
  const { id: workspaceId } = await createWorkspace()

  const figuresOf = async (id: string, query = '') => {
    await figureCounter.store()
    return await ask<ReadingFigures>(200, 'GET', `/operator/publications/${id}/figures${query}`)
  }
  const visit = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    await fetch(service.url + path, { method, redirect: 'manual', headers: { 'User-Agent': BROWSER, ...headers } })
  const report = async (slug: string, body: unknown, headers: Record<string, string> = {}) =>
    await fetch(`${service.url}/publications/${slug}/reading`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': BROWSER, ...headers },
      body: JSON.stringify(body),
    })

  test('counts every opening of the page and of its embedded form as a view', async () => {
    const { id, slug } = await publish(workspaceId, 'Viewed')

    for (const path of [`/p/${slug}`, `/p/${slug}`, `/p/${slug}/embed`]) await visit(path)
    await visit(`/p/${slug}`, { 'User-Agent': OTHER_BROWSER })
    await visit(`/p/${slug}`, { 'X-Forwarded-For': '198.51.100.7' })

    const { total } = await figuresOf(id)
    assert.deepEqual([total.views, total.readers], [5, 3])
  })

  once('counts a page that asks for itself again, with the page that its address names, once', async () => {
    const { id, slug } = await publish(workspaceId, 'Named page')
    const again = (page: string) => ({
      'Sec-Fetch-Site': 'same-origin',
      Referer: `https://read.example/papers${page}`,
    })

    await visit(`/p/${slug}`)
    await visit(`/p/${slug}?page=1`, again(`/p/${slug}`))
    assert.equal((await figuresOf(id)).total.views, 1)

    // Another page of the same site, or another site, brings a reader.
    await visit(`/p/${slug}?page=1`, again('/w/default'))
    await visit(`/p/${slug}?page=1`, { ...again(`/p/${slug}`), 'Sec-Fetch-Site': 'cross-site' })
    assert.equal((await figuresOf(id)).total.views, 3)
  })

  once('counts a view of a page that the browser has cached', async () => {
    const { id, slug } = await publish(workspaceId, 'Kept')
    // The page changes while it is being rendered.
    await untilRendered(service, slug)
    const etag = (await visit(`/p/${slug}`)).headers.get('etag')!

    const { status } = await visit(`/p/${slug}`, { 'If-None-Match': etag })

    assert.equal(status, 304)
    assert.equal((await figuresOf(id)).total.views, 2)
  })

  once('counts the sites that readers come from, of which one publication has a hundred in a day', async () => {
    const { id, slug } = await publish(workspaceId, 'Linked to')
    const { host } = new URL(service.url)
    const from = (Referer: string, more: object = {}) => visit(`/p/${slug}`, { Referer, ...more })

    for (const page of ['https://www.news.example/today?q=1', 'https://news.example/', 'http://blog.example:8080/'])
      await from(page)
    await from('https://news.example/', { DNT: '1' })
    await from('https://news.example/', { 'User-Agent': 'Googlebot/2.1' })
    for (const none of [`http://${host}/w/city`, 'android-app://mail/', 'nonsense', `https://${'a'.repeat(300)}/`])
      await from(none)

    assert.deepEqual((await figuresOf(id)).sources, [
      { host: 'news.example', views: 2 },
      { host: 'blog.example', views: 1 },
    ])
    for (let at = 0; at < 120; at++) await from(`https://invented-${at}.example/`)
    await from('https://news.example/')
    const { sources, total } = await figuresOf(id)
    assert.deepEqual([sources.length, sources[0], total.views], [50, { host: 'news.example', views: 3 }, 129])
    const kept = await db.selectFrom('reading_figures').select('kind').where('publication_id', '=', id).execute()
    assert.equal(kept.filter(({ kind }) => kind.startsWith('from ')).length, 100)
    const csv = await browser.request('GET', `/operator/publications/${id}/figures?format=csv`)
    assert.match(await csv.text(), /^day,views,readers,downloads,seconds\r\n.*\r\n[\d-]+,129,1,0,0\r\n$/s)
    const { publications } = await ask<LibraryFigures>(200, 'GET', `/operator/workspaces/${workspaceId}/figures`)
    assert.equal(publications.find((one) => one.id === id)?.views, 129)
  })

  once('does not count programs, prefetches, HEAD, redirects and scripts as views', async () => {
    const { id, slug } = await publish(workspaceId, 'Not viewed')
    await ask(200, 'PATCH', `/operator/publications/${id}`, { slug: `renamed-${slug}` })

    await visit(`/p/renamed-${slug}`, { 'User-Agent': 'Googlebot/2.1' })
    await visit(`/p/renamed-${slug}`, { 'Sec-Purpose': 'prefetch' })
    await visit(`/p/renamed-${slug}`, { 'Sec-Fetch-Dest': 'empty' })
    await visit(`/p/renamed-${slug}`, {}, 'HEAD')
    assert.equal((await visit(`/p/${slug}`)).status, 308)

    assert.equal((await figuresOf(id)).total.views, 0)
  })

  once('counts readers who ask not to be tracked as views only', async () => {
    const { id, slug } = await publish(workspaceId, 'Private')

    for (const header of ['DNT', 'Sec-GPC']) await visit(`/p/${slug}`, { [header]: '1' })

    const { total } = await figuresOf(id)
    assert.deepEqual([total.views, total.readers], [2, 0])
    assert.deepEqual(await db.selectFrom('day_readers').selectAll().where('publication_id', '=', id).execute(), [])
  })

  test('stores a reader as a hash for the day, without the address, and forgets it afterwards', async () => {
    const { id, slug } = await publish(workspaceId, 'Hashed')
    await visit(`/p/${slug}`, { 'X-Forwarded-For': '203.0.113.77' })
    await figuresOf(id)

    const kept = JSON.stringify(await db.selectFrom('day_readers').selectAll().execute())
    await deps.figures.forgetReadersBefore('9999-12-31')

    assert.doesNotMatch(kept, /203\.0|Firefox/)
    assert.deepEqual(await db.selectFrom('day_readers').selectAll().execute(), [])
    assert.deepEqual(await db.selectFrom('reader_salts').selectAll().execute(), [])
    assert.equal((await figuresOf(id)).total.readers, 1)
  })

  test('counts downloads, and sets no cookies', async () => {
    const { id, slug } = await publish(workspaceId, 'Downloaded')

    const answers = [
      await visit(`/publications/${slug}/download`),
      await visit(`/publications/${slug}/download`, {}, 'HEAD'),
      await visit(`/p/${slug}`),
      await report(slug, { pages: [1], seconds: 1 }),
    ]

    assert.equal((await figuresOf(id)).total.downloads, 1)
    for (const answer of answers) assert.equal(answer.headers.get('set-cookie'), null)
  })

  test('sums up reports per page', async () => {
    const { id, slug } = await publish(workspaceId, 'Read', numberedPages(4))

    const { status } = await report(slug, { pages: [1, 2, 2], seconds: 30 })
    await report(slug, { pages: [2, 3, 5, 999], seconds: 12 })

    assert.equal(status, 204)
    const { total } = await figuresOf(id)
    assert.deepEqual([total.pages, total.seconds], [[1, 2, 1], 42])
  })

  once('accepts reports from pages of other origins, also as beacons without a preflight', async () => {
    const { id, slug } = await publish(workspaceId, 'Beacon')

    const beacon = await report(slug, { pages: [1], seconds: 0 }, { 'Content-Type': 'text/plain;charset=UTF-8' })
    const preflight = await fetch(`${service.url}/publications/${slug}/reading`, { method: 'OPTIONS' })

    assert.deepEqual([beacon.status, preflight.status], [204, 204])
    assert.equal(beacon.headers.get('access-control-allow-origin'), '*')
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual((await figuresOf(id)).total.pages, [1])
  })

  once('answers 400 to impossible reports', async () => {
    const { slug } = await publish(workspaceId, 'Refused')
    const cases: [body: object, place: string][] = [
      [{ pages: [0], seconds: 1 }, 'pages/0'],
      [{ pages: [1.5], seconds: 1 }, 'pages/0'],
      [{ pages: [], seconds: -1 }, 'seconds'],
      [{ pages: [], seconds: 36_001 }, 'seconds'],
      [{ pages: Array.from({ length: 5001 }, () => 1), seconds: 1 }, 'pages'],
      [{ seconds: 1 }, 'pages'],
    ]

    for (const [body, place] of cases) assert.deepEqual(await wrongPlaces(await report(slug, body)), [place])
    await readProblem(await report('unknown-slug', { pages: [1], seconds: 1 }), 404, 'NOT_FOUND')
  })

  once('counts nothing of an unpublished publication', async () => {
    const { id, slug } = await publish(workspaceId, 'Withdrawn')
    await ask(200, 'POST', `/operator/publications/${id}/unpublish`)

    const statuses = [
      (await visit(`/p/${slug}`)).status,
      (await visit(`/publications/${slug}/download`)).status,
      (await report(slug, { pages: [1], seconds: 1 })).status,
    ]

    assert.deepEqual(statuses, [410, 410, 410])
    const { total } = await figuresOf(id)
    assert.deepEqual(total, { views: 0, readers: 0, downloads: 0, seconds: 0, pages: [] })
  })

  test('returns figures per day, including days without readers', async () => {
    const { id, slug } = await publish(workspaceId, 'By days')
    await visit(`/p/${slug}`)
    await figuresOf(id)
    const [row] = await db.selectFrom('reading_figures').selectAll().where('publication_id', '=', id).execute()
    await db
      .insertInto('reading_figures')
      .values([
        { ...row, kind: 'views', day: '2026-02-28', amount: 3 },
        { ...row, kind: 'page', page: 2, day: '2026-03-02', amount: 4 },
      ])
      .execute()

    const { days, total } = await figuresOf(id, '?from=2026-02-28&to=2026-03-02')
    const usual = await figuresOf(id)

    assert.deepEqual(
      days.map(({ day, views, pages }) => ({ day, views, pages })),
      [
        { day: '2026-02-28', views: 3, pages: [] },
        { day: '2026-03-01', views: 0, pages: [] },
        { day: '2026-03-02', views: 0, pages: [0, 4] },
      ],
    )
    assert.deepEqual([total.views, total.pages], [3, [0, 4]])
    assert.equal(usual.days.length, 30)
    assert.equal(usual.to, new Date().toISOString().slice(0, 10))
  })

  once('answers 400 to invalid periods', async () => {
    const { id } = await publish(workspaceId, 'No such period')
    const cases = ['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'from=2000-01-01&to=2026-01-01', 'from=today']

    for (const query of cases) {
      const response = await browser.request('GET', `/operator/publications/${id}/figures?${query}`)
      assert.deepEqual(await wrongPlaces(response), ['from'], query)
    }
  })

  test('the list has the views of each publication', async () => {
    const workspace = await createWorkspace()
    const { slug } = await publish(workspace.id, 'Popular')
    await publish(workspace.id, 'Not so')
    await visit(`/p/${slug}`)
    await visit(`/p/${slug}`)
    await figureCounter.store()

    const { publications } = await ask<LibraryPage>(
      200,
      'GET',
      `/operator/workspaces/${workspace.id}/publications?sort=title`,
    )

    assert.deepEqual(
      publications.map(({ title, views }) => [title, views]),
      [
        ['Not so', 0],
        ['Popular', 2],
      ],
    )
  })

  test('figures are removed with their publication, and none are stored afterwards', async () => {
    const { id, slug } = await publish(workspaceId, 'Going')
    await visit(`/p/${slug}`)
    await figureCounter.store()
    await ask(204, 'DELETE', `/operator/publications/${id}`)

    figureCounter.countView(
      { publicationId: id },
      { method: 'GET', headers: { 'user-agent': BROWSER }, ip: '127.0.0.1' },
    )
    await figureCounter.store()
    const figures = await deps.figures.find(id, '2026-01-01', '9999-12-31')
    await createRemovalStore(db).removePublication(id)

    assert.deepEqual(figures.map(({ kind, amount }) => `${kind} ${amount}`).sort(), ['readers 1', 'views 1'])
    for (const table of ['reading_figures', 'day_readers'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().where('publication_id', '=', id).execute(), [])
    }
  })
})
