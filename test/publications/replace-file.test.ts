import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createDeletionWorker } from '../../src/publications/documents/deletion-worker.ts'
import { createRemovalStore } from '../../src/publications/documents/removal-store.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { encrypted, numberedPages } from '../support/make-pdf-examples.ts'
import { type Problem, readProblem, wrongPlaces } from '../support/problem.ts'
import {
  answer,
  askForTicket,
  type PublishOptions,
  publishPdf,
  untilRendered,
  uploadPdf,
  type WirePublication,
} from '../support/publish.ts'

const DAY_MS = 24 * 3_600_000

describePublications('PUT /publications/:slug/file', { on: oneDatabase }, async ({ service }) => {
  const { deps } = service.server.publications!
  const put = (slug: string, body: unknown) => service.request('PUT', `/publications/${slug}/file`, body)

  async function replace(slug: string, options: PublishOptions): Promise<WirePublication> {
    const { storageKey, pdfPath } = await uploadPdf(service, options)
    return await answer<WirePublication>(await put(slug, { storageKey, pdfPath }), 200)
  }

  async function addressesOf(slug: string): Promise<{ url: string; images: string[] }> {
    const { url } = await answer<{ url: string }>(await fetch(`${service.url}/publications/${slug}/pdf`), 200)
    const list = await fetch(`${service.url}/publications/${slug}/images`)
    return { url, ...(await answer<{ images: string[] }>(list, 200)) }
  }

  /** Runs the hourly sweep at a later time. */
  async function sweepIn(laterMs: number): Promise<void> {
    const removal = createRemovalStore(deps.db)
    const now = () => Date.now() + laterMs
    const deletionWorker = createDeletionWorker({ ...deps, removal, now, versionsKept: 0 })
    await deletionWorker.sweep()
    await deletionWorker.close()
  }

  async function keysOf(folder: string): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of deps.blobs.list(folder)) keys.push(key)
    return keys
  }

  test('answers 200 with the publication, which is processing the new file under its slug', async () => {
    const pdf = numberedPages(5)
    const { slug, id } = await publishPdf(service, { title: 'Replaced', pages: 2 })
    const before = await untilRendered(service, slug)

    const changed = await replace(slug, { pdf })

    assert.deepEqual([changed.id, changed.slug, changed.title], [id, slug, 'Replaced'])
    assert.deepEqual([changed.status, changed.page_count, changed.pages_ready], ['processing', 5, 0])
    assert.equal(changed.size, pdf.length)
    assert(changed.updated_at > before.updated_at)
    assert.equal((await untilRendered(service, slug)).status, 'ready')
    const { url, images } = await addressesOf(slug)
    assert.equal(images.length, 5)
    assert.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), pdf)
  })

  test('keeps the old file and its images until a day after the new one is ready', async () => {
    const { slug } = await publishPdf(service, { title: 'For a day', pages: 1 })
    await untilRendered(service, slug)
    const old = await addressesOf(slug)
    const oldVersion = (await deps.publications.getOwned(service.workspaceId, slug)).version_id
    await replace(slug, { pages: 2 })
    await untilRendered(service, slug)

    await sweepIn(DAY_MS - 60_000)
    const within = [await fetch(old.url), await fetch(old.images[0])]
    await sweepIn(DAY_MS + 60_000)
    // The target of an address is cached for a moment.
    while ((await fetch(old.images[0])).status === 200) await wait(20)
    const beyond = [await fetch(old.url), await fetch(old.images[0])]

    assert.deepEqual(
      within.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(
      beyond.map(({ status }) => status),
      [404, 404],
    )
    assert.deepEqual(await keysOf(`images/${oldVersion}/`), [])
    const { url, images } = await addressesOf(slug)
    assert.deepEqual([(await fetch(url)).status, (await fetch(images[0])).status], [200, 200])
  })

  test('removes the files of daily replacements', async () => {
    const { slug, id } = await publishPdf(service, { title: 'Daily' })
    await untilRendered(service, slug)
    for (let day = 0; day < 3; day++) {
      await replace(slug, {})
      await untilRendered(service, slug)
    }

    await answer(await service.request('PATCH', `/publications/${slug}`, { title: 'Changed just now' }), 200)
    const laterMs = DAY_MS + 60_000
    await deps.db
      .updateTable('publications')
      .set({ updated_at: Date.now() + laterMs })
      .where('id', '=', id)
      .execute()
    await sweepIn(laterMs)

    const left = await deps.db.selectFrom('versions').select('number').where('publication_id', '=', id).execute()
    assert.deepEqual(left.map(({ number }) => number).sort(), [3, 4])
  })

  test('keeps the old file while the new one is not ready', async () => {
    const { slug } = await publishPdf(service, { title: 'Waiting' })
    await untilRendered(service, slug)
    const { version_id, id } = await deps.publications.getOwned(service.workspaceId, slug)
    await replace(slug, {})
    await untilRendered(service, slug)
    await deps.db
      .updateTable('versions')
      .set({ status: 'failed' })
      .where('publication_id', '=', id)
      .where('number', '=', 2)
      .execute()

    await sweepIn(100 * DAY_MS)

    assert.notEqual((await keysOf(`images/${version_id}/`)).length, 0)
  })

  test('answers 409 with the slug when the upload is used again', async () => {
    const { slug } = await publishPdf(service, { title: 'Holder' })
    const other = await publishPdf(service, { title: 'Other' })
    const { storageKey, pdfPath } = await uploadPdf(service)

    const together = await Promise.all(Array.from({ length: 3 }, () => put(slug, { storageKey, pdfPath })))
    const elsewhere = await readProblem(await put(other.slug, { storageKey, pdfPath }), 409, 'CONFLICT')

    assert.deepEqual(together.map(({ status }) => status).sort(), [200, 409, 409])
    assert.equal((elsewhere as Problem & { slug: string }).slug, slug)
  })

  test('applies concurrent replacements one after the other', async () => {
    const { slug, id } = await publishPdf(service, { title: 'Crowd' })
    const uploads = [await uploadPdf(service), await uploadPdf(service), await uploadPdf(service)]

    const responses = await Promise.all(uploads.map(({ storageKey, pdfPath }) => put(slug, { storageKey, pdfPath })))

    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    )
    const versions = await deps.db
      .selectFrom('versions')
      .select(['id', 'number', 'replaced_at'])
      .where('publication_id', '=', id)
      .orderBy('number')
      .execute()
    assert.deepEqual(
      versions.map(({ number, replaced_at }) => [number, replaced_at !== null]),
      [
        [1, true],
        [2, true],
        [3, true],
        [4, false],
      ],
    )
    assert.equal((await deps.publications.getOwned(service.workspaceId, slug)).version_id, versions[3].id)
  })

  test('refuses what creating refuses, without changing the publication', async () => {
    const { slug } = await publishPdf(service, { title: 'Firm' })
    const before = await untilRendered(service, slug)
    const good = await uploadPdf(service)
    const { pdfPath, storageKey } = await uploadPdf(service, { pdf: encrypted() })
    const ticket = await askForTicket(service)

    const locked = await readProblem(await put(slug, { pdfPath, storageKey }), 422, 'UNPROCESSABLE')
    await readProblem(await put(slug, ticket), 409, 'CONFLICT')
    await readProblem(await put(slug, { storageKey: 'x', pdfPath }), 404, 'NOT_FOUND')
    await readProblem(await put('nothing', good), 404, 'NOT_FOUND')

    assert.equal((locked as Problem & { reason: string }).reason, 'password_required')
    assert.deepEqual(await wrongPlaces(await put(slug, { ...good, pdfPath })), ['pdfPath'])
    assert.deepEqual(await wrongPlaces(await put(slug, {})), ['pdfPath', 'storageKey'])
    assert.deepEqual(await untilRendered(service, slug), before)
  })
})
