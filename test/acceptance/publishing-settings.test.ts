import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { readProblem } from '../support/problem.ts'
import { answer, askForTicket, publishPdf, type WirePublication, type WireTicket } from '../support/publish.ts'
import { startPublishing } from './start-publishing.ts'

const ADDRESSES = {
  SERVICES: 'publications',
  BASE_URL: 'https://api.example/v1/',
  PUBLIC_URL: 'https://www.example/documents',
  CDN_URL: 'https://images.example',
}
const PDF = { 'Content-Type': 'application/pdf' }

for (const database of oneDatabase) {
  describe(`Settings of publishing on ${database.name}`, async () => {
    const small = numberedPages(2)
    const limited = await startPublishing({ after }, database, {
      SERVICES: 'publications',
      MAX_UPLOAD_BYTES: String(small.length),
      MAX_PAGES: '1',
      PUBLICATIONS_RATE_LIMIT: '20',
    })

    test('BASE_URL, PUBLIC_URL and CDN_URL determine all addresses, and request headers do not', async (t) => {
      const { url, request, read } = await startPublishing(t, database, ADDRESSES)
      const evil = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher', Forwarded: 'host=evil.example' }
      const here = (address: string) => address.replace(/^https:\/\/(?:api\.example\/v1|images\.example)/, url)

      const asked = await request('POST', '/publications/upload-url', { type: 'pdf' }, evil)
      const { uploadUrl, storageKey, pdfPath } = await answer<WireTicket>(asked, 200)
      const body = new Uint8Array(numberedPages(1))
      await answer(await fetch(here(uploadUrl), { method: 'PUT', headers: PDF, body }), 200)
      const fields = { title: 'Three hosts', storageKey, pdfPath, sourceType: 'pdf' }
      const created = await answer<WirePublication>(await request('POST', '/publications', fields, evil), 201)
      const pdf = await answer<{ url: string }>(await read('/publications/three-hosts/pdf', evil), 200)
      const { images } = await answer<{ images: string[] }>(await read('/publications/three-hosts/images', evil), 200)
      const download = await read('/publications/three-hosts/download', evil)
      const html = await (await read('/p/three-hosts', evil)).text()

      assert.ok(uploadUrl.startsWith('https://api.example/v1/uploads/'))
      assert.ok(pdf.url.startsWith('https://images.example/files/'))
      assert.ok(images[0].startsWith('https://images.example/images/'))
      assert.equal(created.public_url, 'https://www.example/documents/p/three-hosts')
      assert.ok(download.headers.get('location')!.startsWith('https://images.example/files/'))
      assert.ok(html.includes('<link rel="canonical" href="https://www.example/documents/p/three-hosts">'))
      assert.ok(html.includes('href="https://api.example/v1/publications/three-hosts/download"'))
      assert.ok(html.includes(images[0]))
      assert.equal(/evil\.example|gopher/.test(JSON.stringify([created, pdf, images]) + html), false)
      assert.equal((await read(here(pdf.url))).status, 200)
    })

    test('MAX_UPLOAD_BYTES and MAX_PAGES limit publications', async () => {
      const { uploadUrl, storageKey, pdfPath } = await askForTicket(limited)
      const put = (bytes: Buffer) => fetch(uploadUrl, { method: 'PUT', headers: PDF, body: new Uint8Array(bytes) })

      await readProblem(await put(Buffer.concat([small, Buffer.from('\n')])), 413, 'PAYLOAD_TOO_LARGE')
      await answer(await put(small), 200)
      const fields = { title: 'Too many pages', storageKey, pdfPath, sourceType: 'pdf' }
      await readProblem(await limited.request('POST', '/publications', fields), 422, 'UNPROCESSABLE')

      assert.equal((await publishPdf(limited, { pages: 1 })).page_count, 1)
    })

    test("PUBLICATIONS_RATE_LIMIT counts API requests per address, but not uploads and readers' requests", async () => {
      const { request, read } = limited
      const { slug } = await publishPdf(limited, { title: 'Counted' })
      const { url } = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`), 200)
      const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`), 200)
      const { uploadUrl } = await askForTicket(limited)

      let refused: Response | undefined
      while (refused === undefined) {
        const asked = Array.from({ length: 40 }, () => read('/publications/unknown/images'))
        refused = (await Promise.all(asked)).find(({ status }) => status === 429)
      }
      const counted = [
        await read(`/publications/${slug}/pdf`),
        await read(`/publications/${slug}/download`),
        await read(`/oembed?url=${url}`),
        await request('GET', '/publications'),
        await request('GET', '/publications', undefined, { 'X-API-Key': 'pub_wrong' }),
        await request('POST', '/publications/upload-url', { type: 'pdf' }),
      ]
      const body = new Uint8Array(numberedPages(1))
      const uncounted = [
        await fetch(uploadUrl, { method: 'PUT', headers: PDF, body }),
        await read(url),
        await read(images[0]),
        await read(`/p/${slug}`),
        await read('/healthz'),
        await read('/openapi.json'),
      ]

      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
      assert.equal(refused.headers.get('ratelimit-remaining'), '0')
      await readProblem(refused, 429, 'RATE_LIMIT')
      for (const { headers } of counted) assert.equal(headers.get('ratelimit-limit'), '20')
      assert.deepEqual(
        uncounted.map(({ status, headers }) => [status, headers.get('ratelimit-limit')]),
        uncounted.map(() => [200, null]),
      )
    })

    test('SERVICES runs one service without the other; PUBLICATIONS_RATE_LIMIT is 100 a second by default', async (t) => {
      const publications = await startPublishing(t, database, {
        SERVICES: 'publications',
        PUBLICATIONS_RATE_LIMIT: '',
      })
      const tracks = await startPublishing(t, database, { SERVICES: 'tracks' })

      const { slug } = await publishPdf(publications)

      assert.doesNotMatch(publications.process.output().stdout, /trk_/)
      assert.doesNotMatch(tracks.process.output().stdout, /pub_/)
      assert.equal((await publications.read(`/p/${slug}`)).status, 200)
      const { headers } = await publications.read('/publications/unknown/pdf')
      assert.equal(headers.get('ratelimit-limit'), '100')
      await readProblem(await publications.read('/tracks'), 404, 'NOT_FOUND')
      await readProblem(await tracks.read('/publications'), 404, 'NOT_FOUND')
      const { paths } = (await (await publications.read('/openapi.json')).json()) as { paths: object }
      assert.deepEqual(
        Object.keys(paths).filter((path) => /track|sync/.test(path)),
        [],
      )
    })
  })
}
