import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { createDeletionWorker, RENDERED_WITHIN_MS } from '../../src/publications/documents/deletion-worker.ts'
import { createRemovalStore } from '../../src/publications/documents/removal-store.ts'
import { databases, oneDatabase } from '../support/databases.ts'
import { describeOn, describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answer, askForTicket, listPublications, publishPdf, untilRendered, uploadPdf } from '../support/publish.ts'
import { type StartedPublications, startService } from '../support/start-service.ts'

const TABLES = ['publications', 'versions', 'pages', 'uploads', 'stored_paths', 'workspaces'] as const

describePublications('DELETE /publications/:slug', { on: oneDatabase }, async ({ service }) => {
  const { deps } = service.server.publications!
  const remove = (slug: string) => service.request('DELETE', `/publications/${slug}`)

  async function rows(): Promise<Record<string, number>> {
    const counts: [string, number][] = []
    for (const table of TABLES) counts.push([table, (await deps.db.selectFrom(table).selectAll().execute()).length])
    return Object.fromEntries(counts)
  }

  async function blobs(): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of deps.blobs.list()) keys.push(key)
    return keys.sort()
  }

  test('answers 204, and its addresses answer 404 from then on', async () => {
    const { slug } = await publishPdf(service, { title: 'Gone' })
    await answer(await service.request('PATCH', `/publications/${slug}`, { slug: 'gone-for-good' }), 200)
    const { url } = await answer<{ url: string }>(await service.request('GET', `/publications/${slug}/pdf`), 200)
    const { images } = await answer<{ images: string[] }>(
      await service.request('GET', `/publications/${slug}/images`),
      200,
    )

    const response = await remove('gone-for-good')

    assert.equal(response.status, 204)
    assert.equal(await response.text(), '')
    const later: [method: string, path: string, body?: unknown][] = [
      ['GET', ''],
      ['GET', '/pdf'],
      ['GET', '/images'],
      ['GET', '/download'],
      ['PATCH', '', { title: 'x' }],
      ['POST', '/unpublish'],
      ['POST', '/publish'],
      ['PUT', '/file', { storageKey: 'x', pdfPath: 'x' }],
      ['DELETE', ''],
    ]
    for (const known of [slug, 'gone-for-good'])
      for (const [method, path, body] of later)
        await readProblem(await service.request(method, `/publications/${known}${path}`, body), 404, 'NOT_FOUND')
    assert.deepEqual([(await fetch(url)).status, (await fetch(images[0])).status], [404, 404])
    assert((await listPublications(service)).every((listed) => listed.slug !== 'gone-for-good'))
  })

  test('removes rows and blobs in the background, without those of other publications', async () => {
    await sweepLater(service)
    const kept = await publishPdf(service, { title: 'Kept', pages: 2 })
    await untilRendered(service, kept.slug)
    await untilIdle(service)
    const before = { rows: await rows(), blobs: await blobs() }
    const { slug } = await publishPdf(service, { title: 'Removed', pages: 3, path: 'removed.pdf' })
    await untilRendered(service, slug)

    await untilIdle(service)
    await remove(slug)
    await deps.deletionWorker.sweep()
    const blobsAtOnce = await blobs()
    await sweepLater(service)

    assert.deepEqual(blobsAtOnce, before.blobs)
    assert.deepEqual({ rows: await rows(), blobs: await blobs() }, before)
    await answer(await service.request('GET', `/publications/${kept.slug}`), 200)
  })

  test('frees the path of the file, and answers 404 for its storageKey', async () => {
    const body = await uploadPdf(service, { title: 'Path', path: 'a/path.pdf' })
    await answer(await service.request('POST', '/publications', body), 201)

    await remove('path')

    await readProblem(await service.request('POST', '/publications', body), 404, 'NOT_FOUND')
    await askForTicket(service, { path: 'a/path.pdf' })
  })

  test('retries a failed removal', async () => {
    const { slug, id } = await publishPdf(service, { title: 'Stubborn' })
    await untilRendered(service, slug)
    let isBroken = true
    const broken = createDeletionWorker({
      ...deps,
      removal: createRemovalStore(deps.db),
      now: () => Date.now() + RENDERED_WITHIN_MS,
      blobs: {
        list: (folder: string) => deps.blobs.list(folder),
        delete: async (key: string) => {
          if (isBroken) throw new Error('The store is gone')
          await deps.blobs.delete(key)
        },
      } as unknown as BlobStore,
    })
    await deps.publications.delete(service.workspaceId, slug)

    await broken.sweep()
    const afterFailure = await deps.db.selectFrom('publications').select('id').where('id', '=', id).execute()
    isBroken = false
    await broken.sweep()
    const afterwards = await deps.db.selectFrom('publications').select('id').where('id', '=', id).execute()

    assert.deepEqual([afterFailure.length, afterwards.length], [1, 0])
  })
})

describeOn(databases, 'The deletion of a workspace', async (database) => {
  const service = await startService({ after }, database, { services: ['publications'] })
  const { deps } = service.server.publications!

  test('removes its publications, files and uploads, and its slugs stay taken', async () => {
    const { id, api_key: apiKey } = await service.createWorkspace('Short-lived')
    const { slug } = await publishPdf(service, { title: 'Orphan', apiKey })
    await untilRendered(service, slug)
    await uploadPdf(service, { apiKey })
    await untilIdle(service)

    await deps.workspaces.end(id, Date.now())
    const atOnce = await fetch(`${service.url}/publications/${slug}`)
    await deps.deletionWorker.sweep()
    await sweepLater(service)

    await readProblem(atOnce, 404, 'NOT_FOUND')
    for (const table of ['publications', 'versions', 'pages', 'uploads', 'stored_paths'] as const)
      assert.deepEqual(await deps.db.selectFrom(table).selectAll().execute(), [], table)
    assert.deepEqual(await deps.workspaces.ended(), [])
    for await (const { key } of deps.blobs.list()) assert.fail(`${key} is left`)
    assert.equal((await publishPdf(service, { title: 'Orphan' })).slug, 'orphan-2')
  })
})

/** Waits for the further images, which are made after a publication is ready. */
async function untilIdle({ server }: StartedPublications): Promise<void> {
  while ((await server.publications!.deps.versions.countWaiting()) > 0) await wait(20)
}

/** Runs the sweep at a time when no rendering of deleted publications can be in progress. */
async function sweepLater({ server }: StartedPublications): Promise<void> {
  const { deps } = server.publications!
  const removal = createRemovalStore(deps.db)
  const deletionWorker = createDeletionWorker({ ...deps, removal, now: () => Date.now() + RENDERED_WITHIN_MS })
  await deletionWorker.sweep()
  await deletionWorker.close()
}
