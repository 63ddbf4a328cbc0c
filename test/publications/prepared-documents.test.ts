import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { s3Blobs } from '../support/blob-stores.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { encrypted, numberedPages } from '../support/make-pdf-examples.ts'
import { type Problem, readProblem } from '../support/problem.ts'
import { answer, publishPdf, untilRendered, uploadPdf, type WirePublication } from '../support/publish.ts'
import { imageAddresses, readPageImage } from '../support/read-page-image.ts'
import { type StartedPublications, startService } from '../support/start-service.ts'

/**
 * Returns how many preparations have ended, by how, and the bytes of those that are kept. Ends that are zero are left
 * out.
 */
async function preparations(service: StartedPublications): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const ends = text.matchAll(/^publications_preparations_total\{result="(\w+)"\} (\d+)$/gm)
  const bytes = Number(/^publications_prepared_bytes (\d+)$/m.exec(text)![1])
  const counts = [...ends].map(([, result, count]) => [result, Number(count)] as const)
  return { ...Object.fromEntries(counts.filter(([, count]) => count > 0)), bytes }
}

/** Waits until a preparation has ended in this way. */
async function untilEnded(service: StartedPublications, result: string): Promise<void> {
  await becomes(async () => (await preparations(service))[result] > 0, true)
}

/** Publishes an uploaded file, whose first page was prepared, and returns its first image. */
async function publishAndRead(service: StartedPublications, body: object) {
  const { slug } = await answer<WirePublication>(await service.request('POST', '/publications', body), 201)
  const [first] = await imageAddresses(service, slug)
  const image = await readPageImage(await fetch(first))
  return { slug, image }
}

describeOn(databases, 'A document after its upload', (database) => {
  async function start() {
    return await startService({ after }, database, { services: ['publications'] })
  }

  test('is prepared: its first page becomes that of the publication', async () => {
    const service = await start()
    const { db } = service.server.publications!.deps
    const body = await uploadPdf(service, { pages: 3 })

    const { slug, image } = await publishAndRead(service, body)
    await untilRendered(service, slug)

    assert.deepEqual([image.format, image.width], ['jpeg', 1200])
    assert.deepEqual(await preparations(service), { used: 1, bytes: 0 })
    const pages = await db.selectFrom('pages').select(['page', 'text']).orderBy('page').execute()
    assert.deepEqual(
      pages.map(({ page, text }) => [page, text.trim()]),
      [1, 2, 3].map((page) => [page, `Page ${page}`]),
    )
  })

  test('is prepared for a publication whose file it replaces', async () => {
    const service = await start()
    const { slug } = await publishPdf(service)
    await untilRendered(service, slug)
    const { storageKey, pdfPath } = await uploadPdf(service, { pages: 2 })

    await answer(await service.request('PUT', `/publications/${slug}/file`, { storageKey, pdfPath }), 200)
    const { page_count } = await untilRendered(service, slug)

    assert.equal(page_count, 2)
    assert.deepEqual(await preparations(service), { used: 2, bytes: 0 })
  })

  test('gives the same reason on creating if it cannot be opened', async () => {
    const service = await start()
    const body = await uploadPdf(service, { pdf: encrypted() })
    await untilEnded(service, 'failed')

    for (let attempt = 0; attempt < 2; attempt++) {
      const problem = await readProblem(await service.request('POST', '/publications', body), 422, 'UNPROCESSABLE')
      assert.equal((problem as Problem & { reason: string }).reason, 'password_required')
    }
    assert.deepEqual(await preparations(service), { failed: 1, bytes: 0 })
  })

  test('creates nothing once the upload has been removed', async () => {
    const service = await start()
    const { uploads } = service.server.publications!.deps
    const body = await uploadPdf(service)
    await becomes(async () => (await preparations(service)).bytes > 0, true)

    await uploads.removeExpired({
      unusedBeforeMs: Number.MAX_SAFE_INTEGER,
      unpublishedBeforeMs: Number.MAX_SAFE_INTEGER,
    })

    await readProblem(await service.request('POST', '/publications', body), 404, 'NOT_FOUND')
  })
})

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('A document that is uploaded to one instance is published on another', async (t) => {
    const one = await startService(t, database, { services: ['publications'], blobs: s3Blobs })
    const other = await one.startAnother()
    const body = await uploadPdf(one, { pdf: numberedPages(2) })

    const response = await fetch(`${other.url}/publications`, {
      method: 'POST',
      headers: { 'X-API-Key': one.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { slug } = await answer<WirePublication>(response, 201)

    assert.equal((await untilRendered(one, slug)).pages_ready, 2)
  })
}
