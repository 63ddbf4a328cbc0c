import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findAll, findOne, parseXml, textOf } from '../support/html-tree.ts'
import { readPage, storePages } from '../support/public-pages.ts'

/** Strings known from attacks that break out of markup. */
const HOSTILE = [
  '</script><script>alert(1)</script>',
  '</title></head><body onload=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--<script>',
  ']]><x>',
  '{{constructor}}<%= 7*7 %>',
  '&lt;b&gt;&amp;&#x3c;',
  'line\u2028separator\u2029and',
  '\u202ereversed \u2066isolated',
  'two\r\nSet-Cookie: a=b',
  'x\ud83d\udca5y',
]

const box = { x: 0, y: 0, width: 1, height: 1 }

describePublications('public pages of hostile documents', { on: oneDatabase }, async ({ service }) => {
  for (const text of HOSTILE) {
    test(`shows ${JSON.stringify(text)} unchanged in every place`, async () => {
      const plain = text.replace(/\s+/g, ' ').trim()
      const { slug } = await storePages(service, {
        title: text,
        publication: { author_from_file: 1, description_from_file: 1 },
        facts: {
          language: text,
          metadata: { author: text, subject: text },
          outline: [{ title: text, depth: 0, page: 1 }],
          pages: [{ widthPt: 600, heightPt: 800, label: text }],
        },
        pages: [{ text, links: [{ ...box, uri: `https://example.org/?q=${text}` }] }],
      })

      const { page, response } = await readPage(service, `/p/${slug}`)

      assert.equal(textOf(findOne(page, 'h1')), plain)
      assert.equal(textOf(findOne(findOne(page, 'head'), 'title')), plain)
      assert.equal(textOf(findOne(page, 'span', { class: 'author' })), `By ${plain}`)
      assert.equal(textOf(findOne(page, 'div', { class: 'text' })), plain)
      assert.equal(textOf(findAll(findOne(page, 'nav', { class: 'outline' }), 'a')[0]), plain)
      assert.equal(textOf(findOne(page, 'h2')), `Page ${plain} (1/1)`)
      assert.equal(
        findOne(page, 'meta', { property: 'og:title' }).attributes.content.replace(/\s+/g, ' ').trim(),
        plain,
      )
      assert.equal(JSON.parse(textOf(findOne(page, 'script', { type: 'application/ld+json' }))).name, text)
      assert.equal(JSON.parse(textOf(findOne(page, 'script', { id: 'publication-data' }))).title, text)
      // The reader's scripts are there if it has been built.
      const [written, loaded] = [false, true].map((isLoaded) =>
        findAll(page, 'script').filter(({ attributes }) => 'src' in attributes === isLoaded),
      )
      assert.equal(written.filter(({ attributes }) => !('data-pages' in attributes)).length, 2)
      for (const { attributes } of loaded) assert.match(attributes.src, /^_\/(reader|first-paint)\.[\w-]+\.js$/)
      assert.deepEqual(findAll(page, 'html')[0].attributes, { lang: 'en' })
      assert.equal(response.headers.get('set-cookie'), null)
    })

    test(`writes ${JSON.stringify(text)} unchanged into the embedded page and oEmbed`, async () => {
      const { slug } = await storePages(service, {
        title: text,
        publication: { author: text },
      })
      const address = `${service.url}/oembed?url=${encodeURIComponent(`${service.url}/p/${slug}`)}`

      const { page } = await readPage(service, `/p/${slug}/embed`)
      const json = (await (await fetch(address)).json()) as Record<string, string>
      const xml = parseXml(await (await fetch(`${address}&format=xml`)).text())

      assert.equal(textOf(findOne(page, 'h1')), text.replace(/\s+/g, ' ').trim())
      assert.deepEqual([json.title, json.author_name], [text, text])
      const frame = parseXml(json.html.replace(' allowfullscreen', '')).attributes
      assert.equal(frame.title.replace(/\s+/g, ' '), text.replace(/\s+/g, ' '))
      assert.equal(textOf(findOne(xml, 'title')), text.replace(/\s+/g, ' ').trim())
    })
  }

  test('isolates titles of another direction from the text around them', async () => {
    const { slug } = await storePages(service, {
      title: '\u202etitle',
      publication: { author: '\u202eauthor' },
      pages: [{}],
      pageCount: 500,
    })

    const { page } = await readPage(service, `/p/${slug}`)

    assert.equal(textOf(findOne(findOne(page, 'h1'), 'bdi')), '\u202etitle')
    assert.equal(textOf(findOne(findOne(page, 'p', { class: 'byline' }), 'bdi')), '\u202eauthor')
    assert.equal(textOf(findOne(findOne(page, 'head'), 'title')), '\u2068\u202etitle\u2069 (1–400)')
  })

  test('treats an invalid language as unknown', async () => {
    const { slug } = await storePages(service, { facts: { language: '"><script>' }, pages: [{ text: 'Text' }] })

    const { page } = await readPage(service, `/p/${slug}`)

    const [text] = findAll(findOne(page, 'div', { class: 'text' }), 'div').slice(1)
    assert.equal(text.attributes.lang, '')
  })

  test('limits the size of a page with very many links and much text', async () => {
    const links = Array.from({ length: 2_000 }, () => ({ ...box, uri: 'https://example.org/' }))
    const pages = Array.from({ length: 250 }, () => ({ text: 'x '.repeat(11_000), links }))
    const { slug } = await storePages(service, { pages })

    const { html } = await readPage(service, `/p/${slug}`)

    assert.ok(html.length < 6_000_000, `${html.length} characters`)
  })

  test('limits the addresses of links', async () => {
    const uri = `https://example.org/${'a'.repeat(1_900)}`
    const pages = Array.from({ length: 20 }, () => ({ links: Array.from({ length: 150 }, () => ({ ...box, uri })) }))
    const { slug } = await storePages(service, { pages })

    const { html } = await readPage(service, `/p/${slug}`)

    assert.ok(html.includes(uri))
    assert.ok(html.length < 3_000_000, `${html.length} characters`)
  })

  test('answers a malformed address without any script', async () => {
    const { html } = await readPage(service, '/p/%3Cscript%3Ealert(1)%3C%2Fscript%3E', { status: 404 })

    assert.ok(!html.includes('<script'))
  })
})
