import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { makePdf } from '../support/make-pdf.ts'
import { wrongPlaces } from '../support/problem.ts'
import { describePlaces } from '../support/publication-places.ts'
import { answer, publishPdf, untilRendered } from '../support/publish.ts'
import { readZipBytes } from '../support/read-zip.ts'
import { storePublication } from '../support/store-publication.ts'

type Size = { width: number; height: number }
type Service = Size & { id: string; type: string; profile: string; sizes: Size[] }
type Image = Size & { id: string; service?: Service[] }
type Canvas = Size & { id: string; label: object; thumbnail: Image[]; items: { items: { body: Image }[] }[] }
type Range = { label: object; items: { id: string; type: string; items?: object[] }[] }
type Manifest = { id: string; type: string; label: object; rendering?: Image[]; items: Canvas[]; structures?: Range[] }

const TALL = { mediaBox: '[0 0 20 4000]' }

describePlaces('a publication to take away', {}, async ({ service }) => {
  const read = async (address: string) => await fetch(new URL(address, service.url))
  const manifestOf = async (slug: string) =>
    await answer<Manifest>(await read(`/publications/${slug}/iiif/manifest.json`), 200)
  const exported = async (slug: string, query = '') => {
    for (;;) {
      const response = await service.request('GET', `/publications/${slug}/offline${query}`)
      if (response.status === 200) return await readZipBytes(new Uint8Array(await response.arrayBuffer()))
      // Images in further sizes follow the first ones.
      assert.equal(response.status, 409)
      await wait(50)
    }
  }

  test('has a manifest whose images a viewer finds in every size that it lists', async () => {
    const { slug } = await publishPdf(service, { title: 'Rhône', pdf: makePdf({ pages: [{}, TALL] }) })
    await untilRendered(service, slug)

    const response = await read(`/publications/${slug}/iiif/manifest.json`)
    const manifest = await answer<Manifest>(response, 200)

    assert.match(response.headers.get('content-type') ?? '', /^application\/ld\+json/)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(
      [manifest.id, manifest.label],
      [`${service.url}/publications/${slug}/iiif/manifest.json`, { none: ['Rhône'] }],
    )
    assert.equal(manifest.rendering?.length, 1)
    assert.deepEqual(
      manifest.items.map(({ label }) => label),
      [{ none: ['1'] }, { none: ['2'] }],
    )
    for (const canvas of manifest.items) {
      const { body } = canvas.items[0].items[0]
      const [described] = body.service!
      const info = await answer<Service>(await read(`${described.id}/info.json`), 200)
      assert.deepEqual({ ...info, '@context': undefined }, { ...described, '@context': undefined })
      assert.equal(described.profile, 'level0')
      for (const { width, height } of described.sizes) {
        const image = await read(`${described.id}/full/${width},${height}/0/default.jpg`)
        assert.equal(image.headers.get('content-type'), 'image/jpeg')
        assert.deepEqual(jpegSize(Buffer.from(await image.arrayBuffer())), { width, height })
      }
      assert.equal((await read(`${described.id}/full/max/0/default.jpg`)).status, 200)
      for (const wrong of ['full/5,5', 'full/pct:50', `0,0,9,9/max`])
        assert.equal((await read(`${described.id}/${wrong}/0/default.jpg`)).status, 404, wrong)
      assert.deepEqual({ width: canvas.width, height: canvas.height }, { width: body.width, height: body.height })
    }
  })

  test('is a folder with every page, its words and the PDF, also as a draft', async () => {
    const { slug } = await publishPdf(service, { title: 'Draft <b>', pages: 2, draft: true })

    const files = await exported(slug)

    const names = [...files.keys()].map((name) => name.slice(slug.length + 1))
    assert.deepEqual(names, [
      'index.html',
      'assets/public-page.css',
      'assets/first-paint.js',
      'assets/reader.js',
      ...[1, 2].flatMap((page) => [
        `images/${page}/600.webp`,
        `images/${page}/1200.webp`,
        `data/page-${page}.js`,
        `text/${page}.txt`,
      ]),
      'data/texts.js',
      'document.pdf',
    ])
    const file = (name: string) => files.get(`${slug}/${name}`)!
    assert.equal(file('document.pdf').subarray(0, 5).toString(), '%PDF-')
    assert.equal(file('images/2/600.webp').subarray(8, 12).toString(), 'WEBP')
    assert.match(file('data/page-2.js').toString(), /^publicationData\("page-2",\[\{/)
    assert.match(file('data/texts.js').toString(), /^publicationData\("texts",\[.*"text":"Page 2".*\]\)$/)
    const html = file('index.html').toString()
    assert.match(html, /<h1[^>]*><bdi>Draft &#60;b&#62;<\/bdi><\/h1>/)
    const loaded = [...html.matchAll(/(?<!<a )(?<!rel="canonical" )(?:href|src|srcset)="([^"]*)"/g)].map(([, to]) => to)
    for (const address of loaded) assert.doesNotMatch(address, /^(https?:|\/)/)
  })

  test('has a manifest of its own for the address at which it will be served', async () => {
    const { slug } = await publishPdf(service, { title: 'Elsewhere', pdf: makePdf({ pages: [{}, TALL] }) })
    const base = 'https://archive.example/books/elsewhere'

    const files = await exported(slug, `?base_url=${encodeURIComponent(`${base}/`)}`)

    const manifest = JSON.parse(files.get(`${slug}/iiif/manifest.json`)!.toString()) as Manifest
    assert.equal(manifest.id, `${base}/iiif/manifest.json`)
    const images = manifest.items.flatMap(({ thumbnail, items }) => [thumbnail[0], items[0].items[0].body])
    for (const { id, width, height } of images) {
      assert.ok(id.startsWith(`${base}/iiif/`))
      assert.deepEqual(jpegSize(files.get(slug + id.slice(base.length))!), { width, height })
    }
    const wrong = await service.request('GET', `/publications/${slug}/offline?base_url=ftp://x`)
    assert.deepEqual(await wrongPlaces(wrong), ['base_url'])
  })

  test('keeps its table of contents as ranges, without entries that lead nowhere', async () => {
    const facts = {
      pages: [{ widthPt: 612, heightPt: 792 }],
      outline: [
        { title: 'Part', depth: 0 },
        { title: 'Chapter', depth: 1, page: 1 },
        { title: 'Elsewhere', depth: 1, uri: 'https://example.org' },
        { title: 'Empty', depth: 0 },
      ],
    }
    const { slug } = await storePublication(service, { version: { facts: JSON.stringify(facts) } })

    const { structures } = await manifestOf(slug)

    const [part, ...others] = structures![0].items as unknown as Range[]
    assert.deepEqual([part.label, others], [{ none: ['Part'] }, []])
    assert.deepEqual(
      part.items.map((one) => (one as unknown as Range).label),
      [{ none: ['Chapter'] }],
    )
  })

  test('is not exported without a key, or before all pages are rendered', async () => {
    const { slug } = await storePublication(service, { pageCount: 3, version: { status: 'processing' } })

    assert.equal((await read(`/publications/${slug}/offline`)).status, 401)
    assert.equal((await service.request('GET', `/publications/${slug}/offline`)).status, 409)
    assert.equal((await service.request('GET', '/publications/nothing-here/offline')).status, 404)
  })
})

/** Reads the size in the frame header of a JPEG image (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]
    if (marker === 0xc0 || marker === 0xc2)
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  throw new Error('The image has no frame header')
}
