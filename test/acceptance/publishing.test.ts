import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { readProblem } from '../support/problem.ts'
import {
  answer,
  askForTicket,
  listPublications,
  publishPdf,
  untilRendered,
  uploadPdf,
  type WirePublication,
  type WireTicket,
} from '../support/publish.ts'
import { publisher, startPublishing } from './start-publishing.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const PDF = { 'Content-Type': 'application/pdf' }

for (const database of databases) {
  describe(`Publishing on ${database.name}`, async () => {
    const service = await startPublishing({ after }, database)
    const { url, request, read } = service

    test('in four steps: ticket, upload, publication, public address', async () => {
      const pdf = numberedPages(3)

      const asked = await request('POST', '/publications/upload-url', { type: 'pdf' })
      const ticket = await answer<WireTicket>(asked, 200)
      const put = await fetch(ticket.uploadUrl, { method: 'PUT', headers: PDF, body: new Uint8Array(pdf) })
      const { storageKey, pdfPath, workspaceId } = ticket
      const body = { title: 'Rapport d’été 2026', storageKey, pdfPath, sourceType: 'pdf' }
      const created = await answer<WirePublication>(await request('POST', '/publications', body), 201)
      const page = await read(`/p/${created.slug}`)

      assert.deepEqual(Object.keys(ticket).sort(), ['pdfPath', 'storageKey', 'token', 'uploadUrl', 'workspaceId'])
      assert.match(storageKey, UUID)
      assert.match(workspaceId, UUID)
      assert.equal(pdfPath, `${workspaceId}/${storageKey}.pdf`)
      assert.ok(ticket.uploadUrl.includes(ticket.token))
      assert.deepEqual(await answer(put, 200), { storageKey, pdfPath, workspaceId, size: pdf.length })
      assert.match(created.id, UUID)
      assert.deepEqual(
        [created.slug, created.title, created.status, created.page_count],
        ['rapport-d-ete-2026', 'Rapport d’été 2026', 'processing', 3],
      )
      assert.equal(new Date(created.created_at).toISOString(), created.created_at)
      assert.equal(created.public_url, `${url}/p/rapport-d-ete-2026`)
      assert.equal(page.status, 200)
      assert.match(await page.text(), /Rapport d’été 2026/)
    })

    test('a given path places the file within the workspace', async () => {
      const ticket = await askForTicket(service, { path: 'catalogues/2026/spring.pdf' })

      assert.equal(ticket.pdfPath, `${ticket.workspaceId}/catalogues/2026/spring.pdf`)
      assert.match(ticket.storageKey, UUID)
    })

    test('the list is an array with id, slug, title, status and page_count of each, newest first', async () => {
      const first = await publishPdf(service, { title: 'Listed first', pages: 2 })
      const second = await publishPdf(service, { title: 'Listed second' })

      const [newest, before] = await listPublications(service)

      assert.deepEqual([newest.id, before.id], [second.id, first.id])
      const { id, slug, title, status, page_count } = before
      assert.deepEqual([id, slug, title, page_count], [first.id, 'listed-first', 'Listed first', 2])
      assert.ok(['processing', 'ready'].includes(status))
    })

    test('a publication starts processing and becomes ready', async () => {
      const created = await publishPdf(service, { pages: 2 })

      const ready = await untilRendered(service, created.slug)

      assert.deepEqual([created.status, ready.status, ready.pages_ready], ['processing', 'ready', 2])
    })

    test('the PDF has an address without a key, signed for one hour', async () => {
      const pdf = numberedPages(1)
      const { slug } = await publishPdf(service, { pdf })
      const beforeMs = Date.now()

      const issued = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`), 200)
      const file = await read(issued.url)

      assert.deepEqual(Object.keys(issued), ['url'])
      const expiresMs = Number(new URL(issued.url).searchParams.get('expires'))
      assert.ok(expiresMs >= beforeMs + 3_600_000 && expiresMs <= Date.now() + 3_600_000)
      assert.equal(file.headers.get('content-type'), 'application/pdf')
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
    })

    test('there is one image for each page, in page order, before it is rendered', async () => {
      const { slug } = await publishPdf(service, { pages: 30 })

      const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`), 200)
      const [first, last] = await Promise.all([read(images[0]), read(images[29], { Accept: 'image/webp' })])

      assert.equal(new Set(images).size, 30)
      assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/jpeg'])
      assert.deepEqual([last.status, last.headers.get('content-type')], [200, 'image/webp'])
    })

    test('the download is a redirect to the file, saved under the title', async () => {
      const { slug } = await publishPdf(service, { title: 'À télécharger' })

      const redirect = await read(`/publications/${slug}/download`)
      const file = await read(redirect.headers.get('location')!)

      assert.equal(redirect.status, 302)
      assert.equal(
        file.headers.get('content-disposition'),
        `attachment; filename="A telecharger.pdf"; filename*=UTF-8''%C3%80%20t%C3%A9l%C3%A9charger.pdf`,
      )
      assert.match(await file.text(), /^%PDF-/)
    })

    test('the public page needs no script: canonical address, every page’s image, the download', async () => {
      const { slug } = await publishPdf(service, { pages: 2 })
      await untilRendered(service, slug)
      const { images } = await answer<{ images: string[] }>(await read(`/publications/${slug}/images`), 200)

      const html = await (await read(`/p/${slug}`)).text()

      assert.ok(html.includes(`<link rel="canonical" href="${url}/p/${slug}">`))
      assert.ok(html.includes(`href="${url}/publications/${slug}/download"`))
      for (const image of images) assert.ok(html.includes(image), image)
      assert.match(html, /Page 2/)
    })

    test('an unpublished publication answers 410 until it is published again, its old addresses forever', async () => {
      const { slug } = await publishPdf(service)
      const before = await answer<{ url: string }>(await read(`/publications/${slug}/pdf`), 200)

      await answer(await request('POST', `/publications/${slug}/unpublish`), 200)
      for (const path of [`/publications/${slug}/pdf`, `/publications/${slug}/images`, before.url])
        await readProblem(await read(path), 410, 'GONE')
      const gonePage = await read(`/p/${slug}`)
      await answer(await request('POST', `/publications/${slug}/publish`), 200)

      assert.equal(gonePage.status, 410)
      assert.equal((await read(`/publications/${slug}/pdf`)).status, 200)
      await readProblem(await read(before.url), 410, 'GONE')
    })

    test('a publication can be renamed, get another file and be deleted', async () => {
      const { slug } = await publishPdf(service, { title: 'Draft' })

      const change = { title: 'Final', slug: 'final-version' }
      const renamed = await answer<WirePublication>(await request('PATCH', `/publications/${slug}`, change), 200)
      const { storageKey, pdfPath } = await uploadPdf(service, { pages: 4 })
      const replaced = await answer<WirePublication>(
        await request('PUT', '/publications/final-version/file', { storageKey, pdfPath }),
        200,
      )
      const redirect = await read(`/p/${slug}`)
      const direct = await read(`/publications/${slug}/images`)
      const deleted = await request('DELETE', '/publications/final-version')

      assert.deepEqual([renamed.title, renamed.slug], ['Final', 'final-version'])
      assert.deepEqual([replaced.id, replaced.page_count], [renamed.id, 4])
      assert.deepEqual([redirect.status, redirect.headers.get('location')], [308, `${url}/p/final-version`])
      assert.equal(direct.status, 200)
      assert.deepEqual([deleted.status, await deleted.text()], [204, ''])
      await readProblem(await read('/publications/final-version/pdf'), 404, 'NOT_FOUND')
      await readProblem(await read(`/publications/${slug}/pdf`), 404, 'NOT_FOUND')
    })

    test('the three operations of a workspace demand its key, in either header; reading demands none', async () => {
      const { slug } = await publishPdf(service)
      const { apiKey } = service.process
      const json = { 'Content-Type': 'application/json' }

      for (const [method, path] of [
        ['POST', '/publications/upload-url'],
        ['POST', '/publications'],
        ['GET', '/publications'],
      ]) {
        const refused = await read(path, json, method)
        assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /)
        await readProblem(refused, 401, 'UNAUTHORIZED')
        await readProblem(
          await read(path, { ...json, 'X-Api-Key': service.process.token }, method),
          401,
          'UNAUTHORIZED',
        )
      }
      assert.equal((await read('/publications', { Authorization: `Bearer ${apiKey}` })).status, 200)
      assert.equal((await read('/publications', { 'x-api-key': apiKey, Authorization: 'Bearer wrong' })).status, 200)
      for (const path of ['pdf', 'images']) assert.equal((await read(`/publications/${slug}/${path}`)).status, 200)
    })

    test('what was uploaded, which is one file, and published outlives the program that is killed after it', async (t) => {
      const { installation, process } = await startPublishing(t, database, { SERVICES: 'publications' })
      const before = publisher(process.url, process.apiKey)
      const body = await uploadPdf(before, { pages: 2 })
      const files = storedFiles(installation.settings.DATA_DIR)
      const { slug } = await publishPdf(before, { pages: 2 })
      const published = await untilRendered(before, slug)
      await process.stop('SIGKILL')

      const later = await installation.start()
      const after = publisher(later.url, process.apiKey)
      const path = `/publications/${slug}/images`
      const { images } = await answer<{ images: string[] }>(await after.request('GET', path), 200)

      assert.match(process.output().stdout, /Workspace +Default \([\da-f-]{36}\)\n/)
      assert.match(process.output().stdout, /API key +pub_[\w-]{43}\n/)
      assert.doesNotMatch(later.output().stdout, /pub_/)
      const moved = JSON.stringify(published).replaceAll(process.url, later.url)
      assert.deepEqual(await untilRendered(after, slug), JSON.parse(moved))
      assert.deepEqual(await Promise.all(images.map(async (image) => (await fetch(image)).status)), [200, 200])
      assert.deepEqual(
        files.map((name) => name.slice(-4)),
        ['.pdf'],
      )
      const created = await answer<WirePublication>(await after.request('POST', '/publications', body), 201)
      assert.equal((await untilRendered(after, created.slug)).pages_ready, 2)
    })
  })
}

/** Lists the files of uploads and publications below a data folder. */
function storedFiles(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /blobs|documents|images|drafts/.test(entry.parentPath))
    .map(({ name }) => name)
}
