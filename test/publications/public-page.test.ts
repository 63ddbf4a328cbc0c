import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findAll, findOne, textOf } from '../support/html-tree.ts'
import { readPage, storePages } from '../support/public-pages.ts'

const ADDRESSES = {
  BASE_URL: 'https://api.example/v1',
  PUBLIC_URL: 'https://read.example',
  CDN_URL: 'https://images.example',
}

const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.125 }

describePublications('GET /p/:slug', { on: oneDatabase, settings: ADDRESSES }, async ({ service }) => {
  test('shows the title, the author, the number of pages and a link to the PDF', async () => {
    const facts = { metadata: { author: 'Ada Lovelace' } }
    const publication = { author_from_file: 1 }
    const { slug } = await storePages(service, { title: 'Notes', facts, pages: [{}, {}], publication })

    const { page } = await readPage(service, `/p/${slug}`)

    assert.equal(textOf(findOne(page, 'h1')), 'Notes')
    assert.equal(textOf(findOne(page, 'title')), 'Notes')
    const [header] = findAll(page, 'header')
    assert.match(textOf(header), /By Ada Lovelace.*2 pages/)
    const [download] = findAll(header, 'a')
    assert.equal(download.attributes.href, `https://api.example/v1/publications/${slug}/download`)
  })

  test('has every page with images of several sizes and known dimensions', async () => {
    const { slug, versionId } = await storePages(service, { pages: [{}, {}, {}] })

    const { page } = await readPage(service, `/p/${slug}`)

    const sections = findAll(page, 'section')
    assert.deepEqual(
      sections.map(({ attributes }) => [attributes.id, attributes['data-page']]),
      [1, 2, 3].map((number) => [`page-${number}`, String(number)]),
    )
    for (const section of sections) {
      const image = findOne(section, 'img').attributes
      assert.deepEqual([image.width, image.height], ['1200', '1600'])
      assert.equal(section.attributes['data-width'], '1200')
      assert.equal(section.attributes['data-height'], '1600')
      assert.match(image.src, new RegExp(`^https://images\\.example/images/${versionId}/0-\\d-[\\w-]+/1200\\.jpg$`))
      const source = findOne(section, 'source').attributes
      assert.match(source.srcset, /\/600\.webp 600w, https:\S+\/1200\.webp 1200w$/)
      assert.match(source.sizes, /100vw$/)
    }
  })

  test('begins with the image of the page that ?page= names, which its preload and its preview show as well', async () => {
    const { slug } = await storePages(service, { pages: [{}, {}, {}] })

    const { page, response } = await readPage(service, `/p/${slug}?page=3`)

    const [lead, first] = findAll(page, 'img').map(({ attributes }) => attributes)
    assert.deepEqual([lead.fetchpriority, first.loading], ['high', 'lazy'])
    assert.match(lead.src, /\/0-3-[\w-]+\/1200\.jpg$/)
    assert.equal(findOne(findOne(page, 'figure'), 'a').attributes.href, '#page-3')
    assert.match(response.headers.get('link')!, /\/0-3-/)
    assert.match(findOne(page, 'meta', { property: 'og:image' }).attributes.content!, /\/0-3-/)
    for (const query of ['?page=1', '?page=4', '?page=x', '?page=2&page=3'])
      assert.equal(findAll((await readPage(service, `/p/${slug}${query}`)).page, 'figure').length, 0, query)
  })

  test('preloads the first image and loads the others while scrolling', async () => {
    const { slug } = await storePages(service, { pages: [{}, {}] })

    const { page, response } = await readPage(service, `/p/${slug}`)

    const [first, second] = findAll(page, 'img').map(({ attributes }) => attributes)
    assert.deepEqual([first.loading, first.fetchpriority], [undefined, 'high'])
    assert.deepEqual([second.loading, second.fetchpriority], ['lazy', undefined])
    const preload = findOne(page, 'link', { rel: 'preload' }).attributes
    const source = findAll(page, 'source')[0].attributes
    assert.deepEqual([preload.imagesrcset, preload.imagesizes], [source.srcset, source.sizes])
    assert.deepEqual([preload.as, preload.type], ['image', 'image/webp'])
    const link = response.headers.get('link')!
    assert.ok(link.includes('rel=preload; as=image') && link.includes(`imagesrcset="${source.srcset}"`), link)
  })

  test('has the text of every page in paragraphs, marked with the document’s language', async () => {
    const pages = [{ text: 'Erster Absatz.\n\nZweiter Absatz.' }, { text: '' }]
    const { slug } = await storePages(service, { facts: { language: 'de-ch' }, pages })

    const { page } = await readPage(service, `/p/${slug}`)

    const [first, second] = findAll(page, 'div', { class: 'text' })
    assert.deepEqual(findAll(first, 'p').map(textOf), ['Erster Absatz.', 'Zweiter Absatz.'])
    assert.equal(findAll(first, 'div', { lang: 'de-CH' }).length, 1)
    assert.equal(textOf(second), 'This page has no text.')
  })

  test('cuts a very long text and links to the full text', async () => {
    const text = 'word '.repeat(10_000)
    const { slug } = await storePages(service, { pages: [{ text }] })

    const { page, html } = await readPage(service, `/p/${slug}`)
    const whole = await fetch(`${service.url}/p/${slug}/text/1`)

    assert.ok(html.length < 40_000, `${html.length} characters`)
    const link = findOne(page, 'a', { href: `https://read.example/p/${slug}/text/1` })
    assert.equal(textOf(link), 'Read the full text')
    assert.equal(whole.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(await whole.text(), text)
    assert.equal((await fetch(`${service.url}/p/${slug}/text/2`)).status, 404)
  })

  test('has the links of the document, to pages and to other sites', async () => {
    const links = [
      { ...box, page: 2 },
      { ...box, uri: 'https://example.org/?a=1&b=2' },
    ]
    const { slug } = await storePages(service, { pages: [{ links }, {}] })

    const { page } = await readPage(service, `/p/${slug}`)

    const layer = findAll(page, 'svg')[0]
    const [inside, outside] = findAll(layer, 'a')
    assert.equal(inside.attributes.href, '#page-2')
    assert.equal(textOf(inside), 'Go to page 2')
    assert.equal(outside.attributes.href, 'https://example.org/?a=1&b=2')
    assert.equal(outside.attributes.rel, 'noopener nofollow ugc')
    const { x, y, width, height } = findAll(layer, 'rect')[0].attributes
    assert.deepEqual([x, y, width, height], ['300', '800', '600', '200'])
  })

  test('has the outline as nested lists of links, and page labels', async () => {
    const outline = [
      { title: 'One', depth: 0, page: 1 },
      { title: 'One and a half', depth: 1, page: 3 },
      { title: 'Two', depth: 0, uri: 'https://example.org/two' },
    ]
    const sizes = ['i', 'ii', undefined].map((label) => ({ widthPt: 600, heightPt: 800, label }))
    const { slug } = await storePages(service, { facts: { outline, pages: sizes }, pages: [{}, {}, {}] })

    const { page } = await readPage(service, `/p/${slug}`)

    const [list] = findAll(findOne(page, 'nav', { class: 'outline' }), 'ol')
    const entries = list.children.filter((child) => typeof child !== 'string')
    assert.deepEqual(
      entries.map((entry) => textOf(findAll(entry, 'a')[0])),
      ['One', 'Two'],
    )
    assert.equal(textOf(findOne(entries[0], 'ol')), 'One and a half')
    assert.equal(findOne(list, 'a', { href: '#page-3' }).children[0], 'One and a half')
    assert.deepEqual(findAll(page, 'h2').map(textOf), ['Page i (1/3)', 'Page ii (2/3)', 'Page 3'])
  })

  test('says why a page could not be displayed', async () => {
    const { slug } = await storePages(service, { pages: [{}, { failedCode: 'timed_out' }] })

    const { page } = await readPage(service, `/p/${slug}`)

    const note = 'Page 2 could not be displayed. Rendering took too long.'
    const section = findOne(page, 'section', { id: 'page-2' })
    assert.equal(findOne(section, 'img').attributes.alt, note)
    assert.equal(textOf(findOne(section, 'p', { class: 'note' })), note)
  })

  test('describes itself to search engines and for link previews', async () => {
    const facts = { language: 'fr-FR', metadata: { subject: 'Ce que dit le rapport', author: 'A. B.' } }
    const publication = { description_from_file: 1 }
    const { slug } = await storePages(service, { title: 'Rapport', facts, publication })
    const address = `https://read.example/p/${slug}`

    const { page, response } = await readPage(service, `/p/${slug}`)

    const property = (name: string) => findOne(page, 'meta', { property: name }).attributes.content
    assert.equal(findOne(page, 'link', { rel: 'canonical' }).attributes.href, address)
    assert.equal(findOne(page, 'meta', { name: 'description' }).attributes.content, 'Ce que dit le rapport')
    assert.deepEqual(findAll(page, 'meta', { name: 'robots' }), [])
    assert.equal(property('og:title'), 'Rapport')
    assert.equal(property('og:url'), address)
    assert.match(property('og:image'), /^https:\/\/images\.example\/images\/.+\/card\.jpg$/)
    assert.deepEqual([property('og:image:width'), property('og:image:height')], ['1200', '630'])
    assert.equal(property('og:locale'), 'fr_FR')
    const data = JSON.parse(textOf(findOne(page, 'script', { type: 'application/ld+json' })))
    assert.equal(data['@type'], 'DigitalDocument')
    assert.deepEqual([data.name, data.url, data.inLanguage], ['Rapport', address, 'fr-FR'])
    const discovery = findOne(page, 'link', { type: 'application/json+oembed' }).attributes.href
    assert.equal(discovery, `https://api.example/v1/oembed?url=${encodeURIComponent(address)}&format=json`)
    assert.equal(response.headers.get('x-robots-tag'), null)
  })

  test('names the author and the subject of its file nowhere unasked', async () => {
    const facts = { metadata: { author: 'SE:W:CAR:MP', subject: 'internal-7' } }
    const { slug } = await storePages(service, { title: 'A form', facts })
    const oembed = `/oembed?url=${encodeURIComponent(`https://read.example/p/${slug}`)}`

    const answers = [`/p/${slug}`, `/p/${slug}/embed`, `/publications/${slug}`, oembed, `${oembed}&format=xml`].map(
      async (path) => {
        const response = await fetch(service.url + path)
        return [response.status, /SE:W:CAR:MP|internal-7/.test(await response.text())]
      },
    )

    for (const answer of await Promise.all(answers)) assert.deepEqual(answer, [200, false])
  })

  test('uses its first words as the description if the file has none', async () => {
    const { slug } = await storePages(service, { pages: [{ text: `It begins\n\n${'with words '.repeat(50)}` }] })

    const { page } = await readPage(service, `/p/${slug}`)

    const { content } = findOne(page, 'meta', { name: 'description' }).attributes
    assert.match(content, /^It begins with words .*(words|with)…$/)
    assert.ok(content.length <= 201)
  })

  test('is in French if the browser prefers it, and varies by language', async () => {
    const { slug } = await storePages(service)

    const { page, response } = await readPage(service, `/p/${slug}`, {
      headers: { 'Accept-Language': 'fr-CA, en;q=0.5' },
    })

    assert.equal(page.attributes.lang, 'fr')
    assert.match(textOf(findAll(page, 'header')[0]), /Télécharger le PDF/)
    assert.match(response.headers.get('vary')!, /Accept-Language/i)
  })

  test('has the data for its scripts, and one inline script at most', async () => {
    const { slug } = await storePages(service, { pages: [{}, {}] })

    const { page } = await readPage(service, `/p/${slug}`)

    // The first says again which page its address names; it is there if the reader has been built.
    const written = findAll(page, 'script').filter(
      ({ attributes }) => !('src' in attributes || 'data-pages' in attributes),
    )
    assert.deepEqual(
      written.map(({ attributes }) => attributes.type),
      ['application/ld+json', 'application/json'],
    )
    const data = JSON.parse(textOf(findOne(page, 'script', { id: 'publication-data' })))
    assert.deepEqual([data.slug, data.pageCount, data.from, data.to], [slug, 2, 1, 2])
    assert.equal(data.words, `https://api.example/v1/publications/${slug}/pages/`)
  })

  test('restricts loading, scripts, requests and framing by its content security policy', async () => {
    const { slug } = await storePages(service)

    const { response, page } = await readPage(service, `/p/${slug}`)

    const policy = response.headers.get('content-security-policy')!.replace(/sha256-[\w+/]{43}=/, 'sha256-…')
    assert.deepEqual(policy.split('; ').sort(), [
      "base-uri 'none'",
      "connect-src 'self' https://read.example https://api.example https://images.example",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' https://images.example data:",
      // The script in the head, by its content.
      "script-src 'self' 'sha256-…'",
      "style-src 'self'",
    ])
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('referrer-policy'), 'strict-origin-when-cross-origin')
    assert.equal(response.headers.get('set-cookie'), null)
    assert.deepEqual(findAll(page, 'style'), [])
  })

  test('links to an immutable stylesheet', async () => {
    const { slug } = await storePages(service)
    const { page } = await readPage(service, `/p/${slug}`)

    const { href } = findOne(page, 'link', { rel: 'stylesheet' }).attributes
    const style = await fetch(new URL(href, `${service.url}/p/${slug}`))

    assert.equal(style.status, 200)
    assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8')
    assert.match(style.headers.get('cache-control')!, /immutable/)
  })

  test('is revalidated each time, and sent again only after a change', async () => {
    const { id, slug } = await storePages(service, { title: 'Before' })
    const { response } = await readPage(service, `/p/${slug}`)
    const headers = { 'If-None-Match': response.headers.get('etag')! }
    const again = await fetch(`${service.url}/p/${slug}`, { headers })

    const { db } = service.server.publications!.deps
    await db.updateTable('publications').set({ title: 'After' }).where('id', '=', id).execute()
    const { page } = await readPage(service, `/p/${slug}`, { headers })

    assert.equal(response.headers.get('cache-control'), 'public, max-age=0, must-revalidate')
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
    assert.equal(textOf(findOne(page, 'h1')), 'After')
  })

  test('keeps showing a version until the next one is ready', async () => {
    const shown = await storePages(service, { pages: [{ text: 'Old' }] })
    const latest = await storePages(service, { pages: [], pageCount: 7, version: { status: 'processing' } })
    const { db } = service.server.publications!.deps
    const change = { version_id: latest.versionId, shown_version_id: shown.versionId }
    await db.updateTable('publications').set(change).where('id', '=', shown.id).execute()

    const { page } = await readPage(service, `/p/${shown.slug}`)

    assert.equal(findAll(page, 'section').length, 1)
    assert.equal(textOf(findOne(page, 'div', { class: 'text' })), 'Old')
  })

  test('is split into parts if very long, with links and contents across them', async () => {
    const outline = [
      { title: 'Start', depth: 0, page: 1 },
      { title: 'End', depth: 0, page: 900 },
    ]
    const pages = Array.from({ length: 900 }, () => ({ text: 'x' }))
    const { slug } = await storePages(service, { title: 'Long', facts: { outline }, pages })
    const address = `https://read.example/p/${slug}`

    const first = await readPage(service, `/p/${slug}`)
    const second = await readPage(service, `/p/${slug}?from=401`)

    assert.equal(findAll(first.page, 'section').length, 400)
    assert.equal(findOne(first.page, 'link', { rel: 'next' }).attributes.href, `${address}?from=401`)
    assert.deepEqual(findAll(first.page, 'link', { rel: 'prev' }), [])
    findOne(first.page, 'a', { href: `${address}?from=801#page-900` })
    assert.equal(findAll(second.page, 'section')[0].attributes.id, 'page-401')
    assert.equal(findOne(second.page, 'link', { rel: 'canonical' }).attributes.href, `${address}?from=401`)
    assert.equal(findOne(second.page, 'link', { rel: 'prev' }).attributes.href, address)
    assert.equal(textOf(findOne(second.page, 'title')), 'Long (401–800)')
    findOne(second.page, 'a', { href: `${address}#page-1` })
  })
})
