import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { findAll, findOne, parseHtml, parseXml, textOf } from '../support/html-tree.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { sendAs, untilRendered } from '../support/publish.ts'

type Collection = {
  id: string
  name: string
  slug: string
  url: string | null
  publications_count: number
  shelved_count: number
}

const MARKUP = 'Reports <b>&</b>'

describeOn(databases, 'collections of a workspace', async (database, once) => {
  const { service, browser, ask, createWorkspace, publish } = await startLibrary({ after }, database)
  const { id, api_key } = await createWorkspace()
  const other = await createWorkspace('Other')
  const asProgram = sendAs(service, api_key)
  const at = `/operator/workspaces/${id}/collections`
  const create = async (name: string, slug?: string) => await ask<Collection>(201, 'POST', at, { name, slug })
  const list = async () => (await ask<{ collections: Collection[] }>(200, 'GET', at)).collections
  const names = async () => (await list()).map(({ name }) => name)
  const change = async (publicationId: string, body: object) =>
    await ask<{ collection_id: string | null }>(200, 'PATCH', `/operator/publications/${publicationId}`, body)
  const get = async (path: string) => await fetch(new URL(path, service.url), { redirect: 'manual' })
  const read = async (path: string) => {
    const response = await get(path)
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return text
  }
  const entries = (html: string) => findAll(parseHtml(html), 'a', { class: 'entry' }).map((one) => textOf(one).trim())
  const groups = (html: string) =>
    findAll(parseHtml(html), 'section', { class: 'group' }).map((group) => [
      textOf(findOne(group, 'h2')).trim(),
      ...findAll(group, 'a', { class: 'entry' }).map((one) => textOf(one).trim()),
    ])
  const faceLinks = (html: string) =>
    findAll(findOne(parseHtml(html), 'p', { class: 'face' }), 'a').map(({ attributes }) => attributes.href)
  const filtered = async (collection: string) =>
    (
      await ask<{ publications: { title: string }[]; total: number }>(
        200,
        'GET',
        `/operator/workspaces/${id}/publications?sort=title&collection=${collection}`,
      )
    ).publications.map(({ title }) => title)
  const [one, two, three] = [await publish(id, 'One'), await publish(id, 'Two'), await publish(id, 'Three')]
  for (const { slug } of [one, two, three]) await untilRendered(service, slug)

  test('are created one after another with slugs from their names, renamed and moved', async () => {
    const reports = await create(MARKUP)
    const again = await create(MARKUP)
    const plans = await create('  Été & plans ', 'plans')

    assert.deepEqual(
      [reports.slug, again.slug, plans.slug, plans.name],
      ['reports-b-b', 'reports-b-b-2', 'plans', 'Été & plans'],
    )
    assert.deepEqual([reports.url, reports.publications_count], [null, 0])
    const moved = await ask<Collection>(200, 'PATCH', `${at}/${plans.id}`, { position: 0, name: 'Plans' })
    assert.deepEqual([moved.name, moved.slug], ['Plans', 'plans'])
    assert.deepEqual(await names(), ['Plans', MARKUP, MARKUP])
    await ask(200, 'PATCH', `${at}/${plans.id}`, { position: 99 })
    assert.deepEqual(await names(), [MARKUP, MARKUP, 'Plans'])
    await ask(204, 'DELETE', `${at}/${again.id}`)
    assert.deepEqual(await names(), [MARKUP, 'Plans'])
    assert.equal((await create('Once more', 'reports-b-b-2')).slug, 'reports-b-b-2')
  })

  test('take publications, each in one at most, which the library finds', async () => {
    const [reports, plans] = await list()

    assert.equal((await change(one.id, { collection_id: reports.id })).collection_id, reports.id)
    await change(two.id, { collection_id: reports.id })
    await change(two.id, { collection_id: plans.id, title: 'Two' })

    assert.deepEqual(
      (await list()).map((each) => each.publications_count),
      [1, 1, 0],
    )
    assert.deepEqual(await filtered(reports.id), ['One'])
    assert.deepEqual(await filtered('none'), ['Three'])
    assert.deepEqual(await filtered(other.id), [])
    assert.equal((await change(two.id, { title: 'Two' })).collection_id, plans.id)
    for (const collection_id of [other.id, 'plans']) {
      const refused = await browser.request('PATCH', `/operator/publications/${one.id}`, { collection_id })
      assert.deepEqual(await wrongPlaces(refused), ['collection_id'])
    }
  })

  test('group the covers of the shelf, and each has a page, a feed and an entry in the sitemap', async () => {
    await ask(200, 'PUT', `/operator/workspaces/${id}/face`, { slug: 'archive', name: 'Archive' })
    const [reports, plans, empty] = await list()

    const shelf = await read('/w/archive')
    assert.deepEqual(groups(shelf), [
      [MARKUP, 'One'],
      ['Plans', 'Two'],
    ])
    assert.deepEqual(entries(shelf), ['One', 'Two', 'Three'])
    assert.match(shelf, /3 publications/)
    assert.doesNotMatch(shelf, /<b>&|Once more/)
    assert.equal(reports.url, `${service.url}/w/archive/c/reports-b-b`)
    const page = await read(reports.url)
    assert.deepEqual(entries(page), ['One'])
    assert.equal(textOf(findOne(parseHtml(page), 'h1')), MARKUP)
    assert.match(page, /property="og:title" content="Reports &#60;b&#62;/)
    assert.equal(findOne(parseHtml(page), 'link', { rel: 'canonical' }).attributes.href, reports.url)
    const style = findAll(parseHtml(page), 'link', { rel: 'stylesheet' }).map(({ attributes }) => attributes.href)
    for (const href of style) assert.equal((await fetch(new URL(href, reports.url))).status, 200, href)
    const feed = parseXml(await read(`/w/archive/c/reports-b-b/feed.xml`))
    assert.deepEqual(findAll(feed, 'title').map(textOf), [`${MARKUP} · Archive`, 'One'])
    const sitemap = await read('/w/archive/sitemap.xml')
    for (const map of [sitemap, await read('/sitemap.xml'), await read('/sitemaps/1.xml')])
      assert.ok(map.includes(`<loc>${plans.url}</loc>`) && !map.includes(`c/${empty.slug}<`), map)
    const [shelfLink, ownLink] = faceLinks(await read(`/p/${one.slug}`))
    assert.deepEqual([shelfLink, ownLink], [`${service.url}/w/archive`, reports.url])
    assert.deepEqual(faceLinks(await read(`/p/${three.slug}`)), [`${service.url}/w/archive`])
    assert.equal((await get('/w/archive/c/reports-b-b-2')).status, 404)
    assert.equal((await get('/w/archive/c/unknown')).status, 404)
    assert.equal((await get('/w/other/c/plans')).status, 404)
    assert.deepEqual(entries(await read('/w/archive?q=Two')), ['Two'])
  })

  test('keep a former slug, which leads on, and refuse that of another', async () => {
    const [reports, plans] = await list()

    const renamed = await ask<Collection>(200, 'PATCH', `${at}/${reports.id}`, { slug: 'reports' })
    const old = await get('/w/archive/c/reports-b-b?page=1')

    assert.equal(renamed.slug, 'reports')
    assert.deepEqual([old.status, old.headers.get('location')], [308, `${service.url}/w/archive/c/reports?page=1`])
    for (const [method, path, body] of [
      ['PATCH', `${at}/${plans.id}`, { slug: 'reports-b-b', position: 0 }],
      ['POST', at, { name: 'x', slug: 'reports' }],
    ] as const)
      await readProblem(await browser.request(method, path, body), 409, 'CONFLICT')
    assert.deepEqual(
      (await list()).map(({ slug }) => slug),
      ['reports', 'plans', 'reports-b-b-2'],
    )
  })

  once('are not there for readers while nothing in them is for everyone', async () => {
    const hidden = async (state: string) => {
      for (const path of [
        '/w/archive',
        '/w/archive/feed.xml',
        '/w/archive/sitemap.xml',
        '/w/archive?q=Two',
        '/sitemap.xml',
      ])
        assert.doesNotMatch(await read(path), /plans/i, `${state}${path}`)
      assert.doesNotMatch(await (await get(`/p/${two.slug}`)).text(), /plans/i, state)
      for (const path of ['plans', 'plans/feed.xml', 'plans?page=2'])
        assert.equal((await get(`/w/archive/c/${path}`)).status, 404, state)
      assert.deepEqual((await list()).map((each) => [each.publications_count, each.shelved_count])[1], [1, 0])
    }
    for (const rule of [
      { access: 'unlisted' },
      { access: 'restricted' },
      { access: 'public', password: 'a quiet lake' },
    ]) {
      await change(two.id, rule)
      await hidden(JSON.stringify(rule))
    }
    await change(two.id, { password: null, publish_at: '2999-01-01T00:00:00Z' })
    await hidden('scheduled')
    await change(two.id, { publish_at: null })
    await ask(200, 'POST', `/operator/publications/${two.id}/unpublish`)
    await hidden('unpublished')
    await ask(200, 'POST', `/operator/publications/${two.id}/publish`)
    assert.deepEqual(entries(await read('/w/archive/c/plans')), ['Two'])
  })

  test('are managed by programs with the key of the workspace, and by no other', async () => {
    const ask = async <Body>(status: number, method: string, path: string, body?: object) => {
      const response = await asProgram(method, path, body)
      assert.equal(response.status, status, path)
      return (status === 204 ? undefined : await response.json()) as Body
    }
    const { id: made } = await ask<Collection>(201, 'POST', '/collections', { name: 'By program' })
    await ask(200, 'PATCH', `/collections/${made}`, { name: 'Moved', position: 0 })
    const { collections } = await ask<{ collections: Collection[] }>(200, 'GET', '/collections')
    const { collection_id } = await ask<{ collection_id: string }>(200, 'PATCH', `/publications/${three.slug}`, {
      collection_id: made,
    })

    assert.deepEqual([collections[0].name, collection_id], ['Moved', made])
    const asOther = sendAs(service, other.api_key)
    for (const [method, path, body] of [
      ['PATCH', `/collections/${made}`, { name: 'Mine' }],
      ['DELETE', `/collections/${made}`],
      ['DELETE', '/collections/x'],
    ] as const)
      await readProblem(await asOther(method, path, body), 404, 'NOT_FOUND')
    await readProblem(
      await browser.request('DELETE', `/operator/workspaces/${other.id}/collections/${made}`),
      404,
      'NOT_FOUND',
    )
    await ask(204, 'DELETE', `/collections/${made}`)
    const after = (await (await asProgram('GET', '/publications')).json()) as {
      slug: string
      collection_id: unknown
    }[]
    assert.deepEqual(after.find(({ slug }) => slug === three.slug)?.collection_id, null)
    assert.deepEqual(entries(await read('/w/archive')), ['One', 'Two', 'Three'])
  })

  once('name their wrong fields, and are at most a hundred', async () => {
    const wrong = await browser.request('POST', at, { name: ' ', slug: 'No Slug' })
    assert.deepEqual((await wrongPlaces(wrong)).sort(), ['name', 'slug'])
    const [{ id: first }] = await list()
    const misplaced = await browser.request('PATCH', `${at}/${first}`, { name: 'x'.repeat(201), position: -1 })
    assert.deepEqual((await wrongPlaces(misplaced)).sort(), ['name', 'position'])

    const { collections } = service.server.publications!.deps
    for (let made = (await list()).length; made < 100; made++) await collections.create(id, { name: 'More' })
    const { detail } = await readProblem(await browser.request('POST', at, { name: 'Too many' }), 409, 'CONFLICT')
    assert.match(detail, /100 collections/)
    assert.equal(new Set((await list()).map(({ slug }) => slug)).size, 100)
  })

  test('are gone with their workspace', async () => {
    const { db, deletionWorker } = service.server.publications!.deps
    await ask(201, 'POST', `/operator/workspaces/${other.id}/collections`, { name: 'Theirs' })
    for (const workspace of [id, other.id]) await ask(204, 'DELETE', `/operator/workspaces/${workspace}`)

    await deletionWorker.sweep()

    assert.equal((await get('/w/archive/c/plans')).status, 404)
    for (const table of ['collections', 'collection_slugs'] as const) {
      const left = await db.selectFrom(table).select('workspace_id').where('workspace_id', '=', other.id).execute()
      assert.deepEqual(left, [], table)
    }
  })
})
