import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BlobStore } from '../../src/platform/blobs/blob-store.ts'
import { createDeletionWorker } from '../../src/publications/documents/deletion-worker.ts'
import { createRemovalStore } from '../../src/publications/documents/removal-store.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { readProblem } from '../support/problem.ts'
import { answer, publishPdf, untilRendered, uploadPdf, type WirePublication } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

const DAY_MS = 24 * 3_600_000

type Version = { id: string; number: number; is_latest: boolean; page_count: number; replaced_at: string | null }
type Comparison = {
  latest: { page_count: number }
  upload: { page_count: number; file_title: string | null }
  identical_version: number | null
  resized: number[]
}

/** A document with a page for each text. */
function written(texts: readonly string[]): Buffer {
  return makePdf({ pages: texts.map((text) => ({ content: showText(text) })) })
}

describeOn(databases, 'versions of a publication', async (database, once) => {
  let nowMs = Date.UTC(2026, 4, 3, 8)
  const service = await startService({ after }, database, {
    services: ['publications'],
    settings: { VERSIONS_KEPT: '2' },
    now: () => nowMs,
  })
  const { deps } = service.server.publications!
  const publish = async (texts: string[]) => {
    const { slug, id } = await publishPdf(service, { title: 'Versions', pdf: written(texts) })
    await untilRendered(service, slug)
    nowMs += 60_000
    return { slug, id, path: `/publications/${slug}` }
  }
  const replace = async (slug: string, texts: string[]) => {
    const { storageKey, pdfPath } = await uploadPdf(service, { pdf: written(texts) })
    await answer(await service.request('PUT', `/publications/${slug}/file`, { storageKey, pdfPath }), 200)
    await untilRendered(service, slug)
    nowMs += 60_000
  }
  const listed = async (path: string) =>
    (await answer<{ versions: Version[] }>(await service.request('GET', `${path}/versions`), 200)).versions
  const textOf = async (slug: string) => await (await fetch(`${service.url}/p/${slug}/text/1`)).text()
  const bytesOfWorkspace = async () => {
    const { total } = await deps.db
      .selectFrom('uploads')
      .select(({ fn }) => fn.sum<number | string>('size').as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  test('are kept, compared, and gone back to at once, and links to pages go on', async () => {
    const { slug, path } = await publish(['First', 'Second', 'Third'])
    const { storageKey, pdfPath } = await uploadPdf(service, { pdf: written(['First', 'Other']) })
    const comparison = await answer<Comparison>(
      await service.request('POST', `${path}/file/comparison`, { storageKey, pdfPath }),
      200,
    )
    assert.deepEqual(
      [comparison.latest.page_count, comparison.upload.page_count, comparison.identical_version, comparison.resized],
      [3, 2, null, []],
    )
    assert.equal((await listed(path)).length, 1, 'a comparison changes nothing')
    await answer(await service.request('PUT', `${path}/file`, { storageKey, pdfPath }), 200)
    await untilRendered(service, slug)
    const [latest, former] = await listed(path)
    assert.deepEqual([latest.page_count, latest.is_latest, latest.replaced_at], [2, true, null])
    assert.deepEqual([former.page_count, former.is_latest, former.replaced_at !== null], [3, false, true])
    assert.deepEqual(await answer(await service.request('GET', `${path}/versions/${former.id}/changes`), 200), {
      changed: [2],
      added: [],
      removed: [3],
      pending: [],
    })

    const back = await answer<WirePublication>(
      await service.request('POST', `${path}/versions/${former.id}/restore`),
      200,
    )

    assert.deepEqual([back.slug, back.status, back.page_count], [slug, 'ready', 3])
    assert.match(await (await fetch(`${service.url}/p/${slug}`)).text(), /Third/)
    const { images } = await answer<{ images: string[] }>(await fetch(`${service.url}${path}/images`), 200)
    assert.deepEqual(await Promise.all(images.map(async (image) => (await fetch(image)).status)), [200, 200, 200])
    const again = await listed(path)
    assert.deepEqual(
      again.map(({ id, number }) => [id, number]),
      [
        [former.id, 3],
        [latest.id, 2],
      ],
    )
    const same = await uploadPdf(service, { pdf: written(['First', 'Other']) })
    const found = await answer<Comparison>(
      await service.request('POST', `${path}/file/comparison`, {
        storageKey: same.storageKey,
        pdfPath: same.pdfPath,
      }),
      200,
    )
    assert.equal(found.identical_version, 2)
    await replace(slug, ['Newest'])
    assert.equal((await listed(path))[0].number, 4)
  })

  test('are removed beyond those to keep, and an interrupted removal is finished', async () => {
    const { slug, id, path } = await publish(['One'])
    const before = await bytesOfWorkspace()
    for (const text of ['Two', 'Three', 'Four']) await replace(slug, [text])
    const held = await bytesOfWorkspace()
    assert(held > before, 'former versions count')
    const [, , , oldest] = await listed(path)
    assert.equal(oldest.number, 1)
    const sweep = async (blobs: BlobStore) => {
      const worker = createDeletionWorker({
        ...deps,
        removal: createRemovalStore(deps.db),
        blobs,
        versionsKept: 2,
        now: () => nowMs,
      })
      await worker.sweep()
      await worker.close()
    }
    nowMs += DAY_MS - 600_000
    await sweep(deps.blobs)
    assert.equal((await listed(path)).length, 4, 'each is kept for a day')

    nowMs += 1_200_000
    const failing = {
      ...deps.blobs,
      list: deps.blobs.list.bind(deps.blobs),
      delete: async () => Promise.reject(new Error('gone')),
    }
    await sweep(failing as unknown as BlobStore)

    assert.deepEqual(
      (await listed(path)).map(({ number }) => number),
      [4, 3, 2],
    )
    await readProblem(await service.request('POST', `${path}/versions/${oldest.id}/restore`), 404, 'NOT_FOUND')
    const rows = async () =>
      await deps.db.selectFrom('versions').select('number').where('publication_id', '=', id).execute()
    assert.equal((await rows()).length, 4)
    await sweep(deps.blobs)
    assert.equal((await rows()).length, 3)
    assert((await bytesOfWorkspace()) < held)
    await answer(await service.request('POST', `${path}/versions/${(await listed(path))[2].id}/restore`), 200)
    assert.equal(await textOf(slug), 'Two')
  })

  once('end for readers a day after they were replaced, though they are kept', async () => {
    const { slug, path } = await publish(['Before'])
    const { images } = await answer<{ images: string[] }>(await fetch(`${service.url}${path}/images`), 200)
    await replace(slug, ['After'])
    assert.equal((await fetch(images[0])).status, 200)

    nowMs += DAY_MS + 60_000

    assert.equal((await fetch(images[0])).status, 404)
    const [, former] = await listed(path)
    await answer(await service.request('POST', `${path}/versions/${former.id}/restore`), 200)
    assert.equal((await fetch(images[0])).status, 200)
  })

  test('are deleted by their publisher, unless readers see them', async () => {
    const { slug, path } = await publish(['With a secret'])
    const { images } = await answer<{ images: string[] }>(await fetch(`${service.url}${path}/images`), 200)
    await replace(slug, ['Without it'])
    const [latest, former] = await listed(path)
    const { api_key } = await service.createWorkspace('Another')
    const foreign = await service.request('GET', `${path}/versions`, undefined, { 'X-API-Key': api_key })

    await readProblem(foreign, 404, 'NOT_FOUND')
    await readProblem(await service.request('DELETE', `${path}/versions/${latest.id}`), 409, 'CONFLICT')
    await answer(await service.request('DELETE', `${path}/versions/${former.id}`), 204)

    assert.equal((await fetch(images[0])).status, 404)
    await readProblem(await service.request('DELETE', `${path}/versions/${former.id}`), 404, 'NOT_FOUND')
    await readProblem(await service.request('GET', `${path}/versions/${former.id}/changes`), 404, 'NOT_FOUND')
    const left = async () => {
      const keys: string[] = []
      for await (const { key } of deps.blobs.list(`images/${former.id}/`)) keys.push(key)
      return keys.length
    }
    // Further images of it may just be made, and are removed once that has ended.
    do {
      nowMs += 300_000
      await deps.deletionWorker.sweep()
    } while ((await left()) > 0)
  })
})
