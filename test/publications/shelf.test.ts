import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import type { WorkspaceFace } from '../../src/publications/shelf/schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { findAll, parseHtml, parseXml, textOf } from '../support/html-tree.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'

const FACE = { slug: 'city-archive', name: 'City <b>Archive</b> & Sons' }
const MARKUP = '<script>alert(1)</script>'

const pagesOf = (...texts: string[]) => makePdf({ pages: texts.map((text) => ({ content: showText(text) })) })

describeOn(databases, 'the public face of a workspace', async (database, once) => {
  const { service, browser, ask, createWorkspace, publish } = await startLibrary({ after }, database)
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await fetch(new URL(path, service.url), { redirect: 'manual', headers })
  const read = async (path: string) => {
    const response = await get(path)
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return text
  }
  const entries = (html: string) => findAll(parseHtml(html), 'a', { class: 'entry' }).map((one) => textOf(one).trim())
  const give = async (id: string, face: object) =>
    await ask<WorkspaceFace>(200, 'PUT', `/operator/workspaces/${id}/face`, face)
  const change = async (id: string, body: object) =>
    await ask<{ slug: string }>(200, 'PATCH', `/operator/publications/${id}`, body)
  const sendLogo = async (id: string, bytes: Uint8Array, type = 'image/png') =>
    await browser.send('PUT', `/operator/workspaces/${id}/face/logo`, Buffer.from(bytes), type)
  const picture = async (width: number, height: number) =>
    await sharp({ create: { width, height, channels: 4, background: '#c00' } })
      .png()
      .toBuffer()
  const { id } = await createWorkspace()
  const report = await publish(id, `Été à Genève ${MARKUP}`, pagesOf('A caf\\351 by the lake', 'Nothing'))
  const second = await publish(id, 'Budget', pagesOf('Figures of a CAFE and more caf\\351s'))
  for (const { slug } of [report, second]) await untilRendered(service, slug)

  test('has none at first: `/` is for operators, and pages carry the name of the program', async () => {
    const { face } = await ask<{ face: WorkspaceFace | null }>(200, 'GET', `/operator/workspaces/${id}/face`)

    assert.equal(face, null)
    assert.equal((await get('/')).headers.get('location'), 'dashboard/')
    assert.equal((await get('/w')).status, 404)
    assert.equal((await get('/w/city-archive')).status, 404)
    assert.equal((await sendLogo(id, await picture(4, 4))).status, 404)
    assert.match(await read(`/p/${report.slug}`), /Trackpress/)
  })

  test('gives the shelf and the pages its name, and nothing of the program is left on them', async () => {
    const face = await give(id, {
      ...FACE,
      about: `Since 1850. ${MARKUP}`,
      website: 'https://archive.example/a?b=1&c',
      contact: 'mail@archive.example',
      license: `CC BY ${MARKUP}`,
    })

    const shelf = await get('/w/city-archive')
    const html = await shelf.text()
    assert.equal(face.shelf_url, `${service.url}/w/city-archive`)
    assert.deepEqual(entries(html), ['Budget', `Été à Genève ${MARKUP}`])
    assert.match(shelf.headers.get('content-security-policy')!, /script-src 'self'/)
    for (const page of [html, await read(`/p/${report.slug}`), await read(`/p/${report.slug}/embed`)]) {
      assert.doesNotMatch(page, /Trackpress|<b>Archive|<script>alert/)
      assert.ok(page.includes('City &#60;b&#62;Archive&#60;/b&#62; &#38; Sons'))
    }
    for (const page of [html, await read(`/p/${report.slug}`)]) {
      assert.match(page, /<a href="mailto:mail@archive.example"/)
      assert.match(page, /<bdi>CC BY &#60;script/)
    }
    assert.match(html, /property="og:title" content="City &#60;b/)
    const embedded = await read(`/oembed?url=${encodeURIComponent(`${service.url}/p/${report.slug}`)}`)
    const { provider_name, provider_url } = JSON.parse(embedded)
    assert.deepEqual([provider_name, provider_url], [FACE.name, face.shelf_url])
  })

  test('has a feed, newest first, in which markup is text', async () => {
    const response = await get('/w/city-archive/feed.xml')
    const feed = parseXml(await response.text())

    assert.match(response.headers.get('content-type')!, /^application\/atom\+xml/)
    assert.deepEqual(findAll(feed, 'title').map(textOf), [FACE.name, 'Budget', `Été à Genève ${MARKUP}`])
    assert.deepEqual(
      findAll(feed, 'link', { rel: 'alternate' }).map(({ attributes }) => attributes.href),
      [`${service.url}/w/city-archive`, `${service.url}/p/${second.slug}`, `${service.url}/p/${report.slug}`],
    )
  })

  test('has a sitemap of its own, without publications of other workspaces', async () => {
    const elsewhere = await publishPdf(service, { title: 'Elsewhere' })
    await untilRendered(service, elsewhere.slug)
    const listed = async (path: string) => findAll(parseXml(await read(path)), 'loc').map(textOf)

    const own = [report, second].map(({ slug }) => `${service.url}/p/${slug}`)
    assert.deepEqual(await listed('/w/city-archive/sitemap.xml'), own)
    assert.ok((await listed('/sitemap.xml')).includes(`${service.url}/p/${elsewhere.slug}`))
    assert.equal((await get('/w/unknown/sitemap.xml')).status, 404)
  })

  once('is the way out of pages without a publication, unless a password hides whose it was', async () => {
    const gone = await publish(id, 'Gone', pagesOf('Gone'))
    await ask(200, 'POST', `/operator/publications/${gone.id}/unpublish`)
    const linksOf = async (path: string, status: number) => {
      const response = await get(path)
      assert.equal(response.status, status)
      return findAll(parseHtml(await response.text()), 'a').map((link) => [
        link.attributes.href,
        link.attributes.target,
        textOf(link),
      ])
    }
    const shelf = `${service.url}/w/city-archive`

    const named = `Other publications of ${FACE.name}`
    assert.deepEqual(await linksOf(`/p/${gone.slug}`, 410), [[shelf, undefined, named]])
    assert.deepEqual(await linksOf(`/p/${gone.slug}/embed`, 410), [[shelf, '_blank', named]])
    for (const path of ['/p/unknown', '/p/unknown/x', '/w/unknown'])
      assert.deepEqual(await linksOf(path, 404), [[`${service.url}/w`, undefined, 'Publications']])
    await change(gone.id, { password: 'a quiet lake' })
    assert.deepEqual(await linksOf(`/p/${gone.slug}`, 410), [])
    await ask(204, 'DELETE', `/operator/publications/${gone.id}`)
  })

  test('finds titles and texts without accents and case, titles first', async () => {
    const found = await read('/w/city-archive?q=CAFE')
    assert.deepEqual(entries(found), ['Budget', `Été à Genève ${MARKUP}`])
    assert.match(found, /by the lake/)
    assert.match(found, /<mark>café<\/mark>/)
    assert.match(found, /name="robots" content="noindex"/)
    assert.deepEqual(entries(await read('/w/city-archive?q=ete%20a%20geneve')), [`Été à Genève ${MARKUP}`])
    assert.deepEqual(entries(await read(`/w/city-archive?q=${encodeURIComponent(MARKUP)}`)), [`Été à Genève ${MARKUP}`])
    assert.match(await read('/w/city-archive?q=zeppelin'), /No matches/)
    assert.match(await read('/w/city-archive?q=%20'), /2 publications/)
  })

  once('shows nothing that is not for everyone, on shelf, feed and search', async () => {
    const secret = await publish(id, 'Secret plan', pagesOf('Zanzibar'))
    await untilRendered(service, secret.slug)
    assert.match(await read('/w/city-archive?q=zanzibar'), /Secret plan/)
    const nowhere = async (state: string) => {
      for (const path of ['', '/feed.xml', '/sitemap.xml', '?q=zanzibar', '?q=secret'])
        assert.doesNotMatch(await read(`/w/city-archive${path}`), /Secret plan|secret-plan/, `${state}${path}`)
    }

    for (const access of ['unlisted', 'restricted']) {
      await change(secret.id, { access })
      await nowhere(access)
    }
    await change(secret.id, { access: 'public' })
    assert.match(await read('/w/city-archive'), /Secret plan/)
    await ask(200, 'POST', `/operator/publications/${secret.id}/unpublish`)
    await nowhere('unpublished')
    await ask(204, 'DELETE', `/operator/publications/${secret.id}`)
    await nowhere('deleted')
  })

  test('keeps the order of its publisher, and the pages of a long shelf', async () => {
    const put = async (publication_ids: string[]) =>
      await ask<WorkspaceFace>(200, 'PUT', `/operator/workspaces/${id}/face/order`, { publication_ids })

    assert.deepEqual((await put([report.id])).order, [report.id])

    assert.deepEqual(entries(await read('/w/city-archive')), [`Été à Genève ${MARKUP}`, 'Budget'])
    assert.deepEqual(entries(await read('/w/city-archive?page=99')), [`Été à Genève ${MARKUP}`, 'Budget'])
    await put([])
    assert.deepEqual(entries(await read('/w/city-archive?page=x')), ['Budget', `Été à Genève ${MARKUP}`])
  })

  test('has a logo that is encoded anew, at an address of its content', async () => {
    const large = await sharp(await picture(2000, 500))
      .withExif({ IFD0: { Copyright: 'Rue du Lac 4' } })
      .png()
      .toBuffer()
    const answer = await sendLogo(id, large)
    const { logo_url } = (await answer.json()) as WorkspaceFace

    const sent = await get(logo_url!)
    const bytes = Buffer.from(await sent.arrayBuffer())
    const { width, height, exif } = await sharp(bytes).metadata()
    assert.deepEqual([width, height, exif], [640, 160, undefined])
    assert.equal(sent.headers.get('content-type'), 'image/png')
    assert.ok((await read(`/p/${report.slug}`)).includes(`..${new URL(logo_url!).pathname}`))
    assert.equal((await get(logo_url!.replace(/.png$/, '0.png'))).status, 404)
    await ask(200, 'DELETE', `/operator/workspaces/${id}/face/logo`)
    assert.equal((await get(logo_url!)).status, 404)
  })

  once('refuses what is no picture, is damaged, or unfolds to too many pixels', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    )
    const whole = await picture(64, 64)
    const bomb = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const reasonOf = async (bytes: Uint8Array) =>
      (await readProblem(await sendLogo(id, bytes), 422, 'UNPROCESSABLE')).reason

    assert.deepEqual(await Promise.all([svg, makePdf({}), whole.subarray(0, 60), bomb].map(reasonOf)), [
      'not_an_image',
      'not_an_image',
      'damaged',
      'too_large',
    ])
    assert.equal((await sendLogo(id, whole, 'image/svg+xml')).status, 415)
    assert.equal((await sendLogo(id, Buffer.alloc(2_097_153, whole))).status, 413)
  })

  test('has a colour that can be read, also in the stylesheet of its pages', async () => {
    const { status } = await browser.request('PUT', `/operator/workspaces/${id}/face`, {
      ...FACE,
      accent_color: '#7a1f5c',
    })
    assert.equal(status, 200)

    const style = /href="([^"]*accent[^"]*)"/.exec(await read('/w/city-archive'))![1]
    const css = await get(new URL(style, `${service.url}/w/city-archive`).href)
    assert.match(css.headers.get('content-type')!, /^text\/css/)
    assert.match(await css.text(), /--accent: #7a1f5c/)
    assert.match(await read(`/p/${report.slug}/embed`), /href="\.\.\/_\/accent\/7a1f5c\.css"/)
    for (const file of ['ffcc00.css', 'x.css', '7a1f5c.css%7d', '%00']) {
      const refused = await get(`/p/_/accent/${file}`)
      assert.equal(refused.status, 404, file)
    }
  })

  test('names the wrong fields of a face', async () => {
    const wrong = {
      slug: 'No Slug',
      name: '  ',
      about: 'x'.repeat(2_001),
      website: 'javascript:alert(1)',
      contact: 'javascript:alert(1)',
      license: 'x'.repeat(201),
      accent_color: '#ffcc00',
    }
    const places = await wrongPlaces(await browser.request('PUT', `/operator/workspaces/${id}/face`, wrong))
    assert.deepEqual(places.sort(), ['about', 'accent_color', 'contact', 'license', 'name', 'slug', 'website'])
  })

  test('leads from a former slug to the shelf, which no other workspace can take', async () => {
    await give(id, { ...FACE, slug: 'archive' })
    const other = await createWorkspace('Other')

    const moved = await get('/w/city-archive?q=x')
    const taken = await browser.request('PUT', `/operator/workspaces/${other.id}/face`, FACE)

    assert.deepEqual([moved.status, moved.headers.get('location')], [308, `${service.url}/w/archive?q=x`])
    await readProblem(taken, 409, 'CONFLICT')
    assert.equal((await get('/w/archive/')).headers.get('location'), `${service.url}/w/archive`)
  })

  test('leads readers from `/` to the only shelf, or to the names of all', async () => {
    assert.equal((await get('/')).headers.get('location'), `${service.url}/w/archive`)
    const other = await createWorkspace('Other')
    await give(other.id, { slug: 'other', name: 'Other press' })

    const home = (await get('/')).headers.get('location')!
    assert.equal(home, `${service.url}/w`)
    const shelves = findAll(parseHtml(await read('/w')), 'li').map((one) => textOf(one).trim())
    assert.deepEqual(shelves, [FACE.name, 'Other press'])
    assert.match(await read('/w/other'), /Nothing has been published here yet/)
  })

  test('is gone with its shelf once it is removed, and a workspace that is deleted has none', async () => {
    await ask(204, 'DELETE', `/operator/workspaces/${id}/face`)

    assert.equal((await get('/w/archive')).status, 404)
    const missing = await get('/w/archive', { Accept: 'text/html', 'Accept-Language': 'fr' })
    assert.match(await missing.text(), /Rien à lire/)
    assert.match(await read(`/p/${report.slug}`), /Trackpress/)
    const { workspaces } = await ask<{ workspaces: { id: string; name: string }[] }>(200, 'GET', '/operator/workspaces')
    for (const one of workspaces.filter(({ name }) => name === 'Other'))
      await ask(204, 'DELETE', `/operator/workspaces/${one.id}`)
    assert.equal((await get('/w/other')).status, 404)
    assert.equal((await get('/')).headers.get('location'), 'dashboard/')
  })
})
