import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { WorkspaceFace } from '../../src/publications/shelf/schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { findAll, parseHtml, parseXml, textOf } from '../support/html-tree.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { untilRendered } from '../support/publish.ts'
import { sendBytes, sendText } from '../support/send-bytes.ts'
import { signIn } from '../support/sign-in.ts'

const PUBLIC = 'https://read.example.org'
const OWN = 'reports.example.com'
const SITE = `https://${OWN}`

describeOn(databases, 'the host name of a workspace', async (database, once) => {
  const routes: { method: string; url: string }[] = []
  const watch = (message: unknown) =>
    void (message as { fastify: HttpServer }).fastify.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((name) => ({ method: name, url })))
    })
  subscribe('fastify.initialization', watch)
  const asked: string[] = []
  /** The names that DNS knows, with their addresses. */
  const known: Record<string, string[]> = {}
  const { service, browser, ask, createWorkspace, publish } = await startLibrary({ after }, database, {
    settings: { PUBLIC_URL: PUBLIC, CDN_URL: 'https://images.example.org' },
    resolveName: async (name) => {
      asked.push(name)
      if (known[name] === undefined) throw new Error('ENOTFOUND')
      return known[name]
    },
  })
  unsubscribe('fastify.initialization', watch)
  const ofFace = (id: string) => `/operator/workspaces/${id}/face`
  const give = async (id: string, domain: string | null) =>
    await browser.request('PUT', `${ofFace(id)}/domain`, { domain })
  const isAllowed = async (domain: string) =>
    (await fetch(new URL(`/domains/allowed?domain=${encodeURIComponent(domain)}`, service.url))).status
  /** Sends a request with this Host. */
  const at = async (host: string, path: string, headers: Record<string, string> = {}, url = service.url) => {
    const {
      status,
      headers: answered,
      body,
    } = await sendBytes(url + path, {
      headers: { Host: host, ...headers },
    })
    return { status, headers: answered, text: body.toString() }
  }
  const read = async (path: string, host = OWN) => {
    const { status, text } = await at(host, path)
    assert.equal(status, 200, `${host}${path} ${text.slice(0, 200)}`)
    return text
  }
  const { id } = await createWorkspace('City')
  const { id: other } = await createWorkspace('Lake')
  const report = await publish(id, 'Report')
  const foreign = await publish(other, 'Foreign')
  for (const { slug } of [report, foreign]) await untilRendered(service, slug)

  test('belongs to a workspace with a public face, in lower case and ASCII', async () => {
    await readProblem(await give(id, OWN), 404, 'NOT_FOUND')
    await ask(200, 'PUT', ofFace(id), { slug: 'city', name: 'City' })

    const face = (await (await give(id, ` Bücher.Example.COM. `)).json()) as WorkspaceFace

    assert.equal(face.domain, 'xn--bcher-kva.example.com')
    await ask(200, 'PUT', ofFace(id), { slug: 'city', name: 'City archive' })
    const { face: kept } = await ask<{ face: WorkspaceFace }>(200, 'GET', ofFace(id))
    assert.equal(kept.domain, face.domain)
    assert.equal(((await (await give(id, OWN)).json()) as WorkspaceFace).domain, OWN)
  })

  test('is refused where it is no name, is one of this server, or is taken', async () => {
    for (const domain of ['', 'localhost', '192.0.2.1', 'https://a.example', 'a.example:80', 'a@b.example'])
      assert.deepEqual(await wrongPlaces(await give(id, domain)), ['domain'], domain)
    for (const domain of ['read.example.org', 'IMAGES.example.org.'])
      assert.match((await readProblem(await give(id, domain), 409, 'CONFLICT')).detail, /of this server/)
    await ask(200, 'PUT', ofFace(other), { slug: 'lake', name: 'Lake' })
    assert.match((await readProblem(await give(other, OWN), 409, 'CONFLICT')).detail, /Another workspace/)
    assert.equal((await give(id, OWN)).status, 200)
  })

  test('is given by owners', async () => {
    const editor = await signIn(service, { role: 'editor', limitedTo: null })
    for (const method of ['PUT', 'GET']) {
      const refused = await editor.request(
        method,
        `${ofFace(id)}/domain`,
        method === 'PUT' ? { domain: OWN } : undefined,
      )
      await readProblem(refused, 403, 'INSUFFICIENT_ROLE')
    }
  })

  test('is looked up in DNS, beside the name of the server, and nothing else is asked', async () => {
    const check = async () => await ask<{ state: string | null }>(200, 'GET', `${ofFace(id)}/domain`)
    const states: [Record<string, string[]>, string][] = [
      [{}, 'unresolved'],
      [{ 'read.example.org': ['192.0.2.7'] }, 'unresolved'],
      [{ [OWN]: ['192.0.2.7'] }, 'unknown'],
      [{ [OWN]: ['192.0.2.8'], 'read.example.org': ['192.0.2.7', '2001:db8::7'] }, 'elsewhere'],
      [{ [OWN]: ['2001:db8::7'], 'read.example.org': ['192.0.2.7', '2001:db8::7'] }, 'here'],
    ]
    for (const [names, state] of states) {
      for (const name of Object.keys(known)) delete known[name]
      Object.assign(known, names)
      assert.deepEqual(await check(), { domain: OWN, state, server_name: 'read.example.org' })
    }
    assert.deepEqual([...new Set(asked)].sort(), ['read.example.org', OWN].sort())
    assert.equal((await ask<{ state: string | null }>(200, 'GET', `${ofFace(other)}/domain`)).state, null)
  })

  test('is what a proxy may fetch a certificate for, and no other name is', async () => {
    assert.equal(await isAllowed(OWN), 200)
    assert.equal(await isAllowed(`${OWN.toUpperCase()}.`), 200)
    for (const domain of ['', 'x', 'read.example.org', `www.${OWN}`, 'xn--bcher-kva.example.com', `${OWN}:443`])
      assert.equal(await isAllowed(domain), 404, domain)
    for (const query of ['', '?domain', `?domain=${OWN}&domain=${OWN}`, `?domain[]=${OWN}`])
      assert.equal((await fetch(new URL(`/domains/allowed${query}`, service.url))).status, 404, query)
  })

  test('shows the shelf at `/`, a publication at `/<slug>`, and all that they ask for', async () => {
    const shelf = parseHtml(await read('/'))
    const page = await read(`/${report.slug}`)

    const entries = findAll(shelf, 'a', { class: 'entry' }).map(({ attributes }) => attributes.href)
    assert.deepEqual(entries, [`${SITE}/${report.slug}`])
    const linked = (html: ReturnType<typeof parseHtml>, name: string) =>
      [...findAll(html, 'link', { rel: 'stylesheet' }), ...findAll(html, 'script')]
        .flatMap(({ attributes }) => attributes.href ?? attributes.src ?? [])
        .map((address) => new URL(address, `${SITE}${name}`).pathname)
    const files = [...linked(shelf, '/'), ...linked(parseHtml(page), `/${report.slug}`)]
    files.push(...linked(parseHtml(await read(`/${report.slug}/embed`)), `/${report.slug}/embed`))
    assert.ok(files.length > 5)
    for (const file of files) await read(file)
    assert.ok(!/read\.example\.org/.test(page), 'no address of the public site')
    const api = `/_/publications/${report.slug}`
    assert.ok(page.includes(`"api":"${SITE}${api}"`))
    for (const path of ['', '/pdf', '/images', '/search?q=Page', '/pages/1']) await read(`${api}${path}`)
    assert.equal((await at(OWN, `${api}/download`)).status, 302)
    assert.match(await read(`/${report.slug}?q=Page`), /<mark>/)
    assert.match(await read('/?q=Report'), /class="entry"/)
    const report_ = { pages: [1], seconds: 1 }
    const counted = await sendBytes(`${service.url}${api}/reading`, {
      method: 'POST',
      headers: { Host: OWN, 'Content-Type': 'application/json' },
      body: JSON.stringify(report_),
    })
    assert.equal(counted.status, 204)
  })

  test('has a feed, a sitemap and a robots.txt with its own addresses, and the sitemap of the site has others', async () => {
    const feed = parseXml(await read('/feed.xml'))
    const alternates = findAll(feed, 'link', { rel: 'alternate' }).map(({ attributes }) => attributes.href)
    assert.deepEqual(alternates, [SITE, `${SITE}/${report.slug}`])
    assert.equal(textOf(findAll(feed, 'id')[0]), SITE)
    const located = async (path: string, host?: string) => findAll(parseXml(await read(path, host)), 'loc').map(textOf)
    assert.deepEqual(await located('/sitemap.xml'), [`${SITE}/${report.slug}`])
    assert.deepEqual(await located('/w/city/sitemap.xml', 'read.example.org'), [`${SITE}/${report.slug}`])
    assert.deepEqual(await located('/sitemap.xml', 'read.example.org'), [`${PUBLIC}/p/${foreign.slug}`])
    assert.match(await read('/robots.txt'), /Sitemap: https:\/\/reports\.example\.com\/sitemap\.xml\n$/)
  })

  test('is the canonical address of its publications, which stay where they were as well', async () => {
    for (const [host, path] of [
      [OWN, `/${report.slug}`],
      ['read.example.org', `/p/${report.slug}`],
      ['read.example.org', `/p/${report.slug}/embed`],
    ]) {
      const page = parseHtml(await read(path, host))
      const [canonical] = findAll(page, 'link', { rel: 'canonical' })
      const [address] = findAll(page, 'meta', { property: 'og:url' })
      assert.equal(canonical.attributes.href, `${SITE}/${report.slug}`)
      assert.equal(address.attributes.content, `${SITE}/${report.slug}`)
    }
    const [shelf] = findAll(parseHtml(await read('/w/city', 'read.example.org')), 'link', { rel: 'canonical' })
    assert.equal(shelf.attributes.href, SITE)
    const { face } = await ask<{ face: WorkspaceFace }>(200, 'GET', ofFace(id))
    assert.equal(face.shelf_url, SITE)
    type Addressed = { public_url: string; embed_url: string }
    const shown = await ask<Addressed>(200, 'GET', `/operator/publications/${report.id}`)
    const apart = await ask<Addressed>(200, 'GET', `/operator/publications/${foreign.id}`)
    const described = JSON.parse(await read(`/publications/${report.slug}`, 'localhost'))
    for (const { public_url } of [shown, described]) assert.equal(public_url, `${SITE}/${report.slug}`)
    assert.equal(shown.embed_url, `${SITE}/${report.slug}/embed`)
    assert.equal(apart.public_url, `${PUBLIC}/p/${foreign.slug}`)
    for (const named of [`${SITE}/${report.slug}`, `${SITE}/${report.slug}/embed`, `${PUBLIC}/p/${report.slug}`]) {
      const { html, provider_url } = JSON.parse(await read(`/oembed?url=${encodeURIComponent(named)}`, 'localhost'))
      assert.equal(provider_url, SITE)
      assert.ok(html.includes(`src="${SITE}/${report.slug}/embed"`))
    }
    await read(`/_/oembed?url=${encodeURIComponent(`${SITE}/${report.slug}`)}`)
    for (const named of [`${SITE}/${foreign.slug}`, `https://x.example/${report.slug}`])
      assert.equal((await at('localhost', `/oembed?url=${encodeURIComponent(named)}`)).status, 404, named)
  })

  once('has nothing of other workspaces, and nothing else of the server', async () => {
    const api = '/_/publications'
    const elsewhere = [`/${foreign.slug}`, `/${foreign.slug}/embed`, `/${foreign.slug}/text/1`, '/city', '/lake']
    for (const path of ['', '/pdf', '/images', '/download', '/events', '/search?q=x', '/pages/1'])
      elsewhere.push(`${api}/${foreign.slug}${path}`)
    elsewhere.push(`/_/oembed?url=${encodeURIComponent(`${PUBLIC}/p/${foreign.slug}`)}`)
    elsewhere.push(
      `${api}/webhooks`,
      `${api}/webhooks/images`,
      `${api}/web%68ooks`,
      `${api}/${report.slug}/links`,
      `${api}/${report.slug}/versions`,
    )
    const credentials = { Cookie: browser.cookie, 'X-Api-Key': service.apiKey }
    for (const path of elsewhere) assert.equal((await at(OWN, path, credentials)).status, 404, path)
    for (const path of [
      '//operator/session',
      '/../operator/session',
      '/_/../w/lake',
      '/p/%2e%2e/w/lake',
      '/%2e%2e/w/lake',
    ]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${OWN}\r\nCookie: ${browser.cookie}\r\nConnection: close\r\n\r\n`
      assert.match(await sendText(service.url, head), /^HTTP\/1.1 404 /, path)
    }
    const ownPaths = ['*', '/', '/robots.txt', '/sitemap.xml']
    for (const { method, url } of routes.filter((route) => !ownPaths.includes(route.url))) {
      const path = url
        .replace(/:slug\b/, report.slug)
        .replace(/:id\b/, id)
        .replace(/:\w+/g, '1')
        .replace('*', 'x')
      const { status } = await sendBytes(service.url + path, { method, headers: { Host: OWN, ...credentials } })
      assert.ok(status === 404 || status === 405, `${method} ${path} ${status}`)
    }
  })

  test('leads from a page that does not exist to its own shelf, in the design of the pages', async () => {
    for (const path of ['/nothing', '/nothing/at/all', '/%']) {
      const { status, text } = await at(OWN, path, { Accept: 'text/html' })
      assert.equal(status, 404)
      const page = parseHtml(text)
      const [style] = findAll(page, 'link', { rel: 'stylesheet' })
      await read(new URL(style.attributes.href, `${SITE}${path}`).pathname)
      assert.deepEqual(
        findAll(page, 'a').map(({ attributes }) => attributes.href),
        [`${SITE}/`],
      )
    }
  })

  once('keeps the reader links and passwords of its publications, on both sites', async () => {
    const held = await publish(id, 'Held')
    await untilRendered(service, held.slug)
    await ask(200, 'PATCH', `/operator/publications/${held.id}`, { access: 'restricted' })
    const { url } = await ask<{ url: string }>(201, 'POST', `/operator/publications/${held.id}/links`, {})
    assert.ok(url.startsWith(`${SITE}/${held.slug}?link=lnk_`), url)
    const { search } = new URL(url)
    for (const [host, path, api] of [
      [OWN, `/${held.slug}`, `/_/publications/${held.slug}`],
      ['read.example.org', `/p/${held.slug}`, `/publications/${held.slug}`],
    ]) {
      assert.equal((await at(host, path)).status, 404)
      const opened = await at(host, path + search)
      assert.deepEqual([opened.status, opened.headers.location], [302, `https://${host}${path}`])
      const cookies = opened.headers['set-cookie']!
      assert.deepEqual(
        cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)![1]),
        [path, api],
      )
      const Cookie = cookies[0].split(';')[0]
      const page = await at(host, path, { Cookie })
      assert.equal(page.status, 200)
      assert.ok(page.text.includes(`"api":"https://${host}${api}"`))
      assert.equal((await at(host, `${api}/search?q=Page`, { Cookie })).status, 200)
    }
    await ask(200, 'PATCH', `/operator/publications/${held.id}`, { access: 'public', password: 'a quiet lake' })
    const asked = await at(OWN, `/${held.slug}`)
    assert.equal(asked.status, 401)
    const action = new URL(/<form[^>]* action="([^"]+)"/.exec(asked.text)![1], `${SITE}/${held.slug}`).pathname
    const given = await sendBytes(service.url + action, {
      method: 'POST',
      headers: { Host: OWN, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'password=a+quiet+lake',
    })
    assert.deepEqual([given.status, given.headers.location], [303, `${SITE}/${held.slug}`])
    const Cookie = given.headers['set-cookie']![0].split(';')[0]
    assert.equal((await at(OWN, `/${held.slug}`, { Cookie })).status, 200)
    await ask(204, 'DELETE', `/operator/publications/${held.id}`)
  })

  once('is recognised however it is spelled, and by a trusted proxy alone in X-Forwarded-Host', async () => {
    for (const host of [OWN.toUpperCase(), `${OWN}.`, `${OWN}:443`, `${OWN}.:8443`, `${OWN}:`])
      assert.match(await read('/', host), /class="shelf"/, host)
    const long = `${'a.'.repeat(4_000)}example.com`
    for (const host of [`x.${OWN}`, `${OWN}.example.org`, long, `${OWN}..`])
      assert.doesNotMatch((await at(host, '/')).text, /class="shelf"/, host.slice(0, 50))
    for (const lines of [`Host: x@${OWN}`, `Host: ${OWN}/`, `Host: ${OWN}\r\nHost: localhost`]) {
      const text = await sendText(service.url, `GET / HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
      assert.match(text, /^HTTP\/1.1 400 /, lines)
    }
    const forwarded = { 'X-Forwarded-Host': `localhost, ${OWN}` }
    assert.doesNotMatch((await at('localhost', '/', forwarded)).text, /class="shelf"/)
    const behindProxy = await service.startAnother({ TRUSTED_PROXIES: '127.0.0.1,::1' })
    assert.match((await at('localhost', '/', forwarded, behindProxy.url)).text, /class="shelf"/)
    assert.match((await at(OWN, '/', {}, behindProxy.url)).text, /class="shelf"/)
    const elsewhere = { 'X-Forwarded-Host': 'localhost' }
    assert.doesNotMatch((await at(OWN, '/', elsewhere, behindProxy.url)).text, /class="shelf"/)
  })

  test('is free again once it is removed, with the face, or with the workspace', async () => {
    await give(id, null)
    assert.equal(await isAllowed(OWN), 404)
    assert.equal((await give(other, OWN)).status, 200)
    await ask(204, 'DELETE', ofFace(other))
    assert.equal(await isAllowed(OWN), 404)
    assert.equal((await give(id, OWN)).status, 200)
    await ask(204, 'DELETE', `/operator/workspaces/${id}`)
    assert.equal(await isAllowed(OWN), 404)
  })
})
