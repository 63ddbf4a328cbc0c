import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { damagedPages } from '../support/damaged-pages.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { imageAddresses, readPageImage } from '../support/read-page-image.ts'
import { storePublication } from '../support/store-publication.ts'

const UNRENDERED = { status: 'processing', has_work: 1 } as const

describePublications('Rendering', { on: oneDatabase }, async ({ service }) => {
  const { db, blobs, renderQueue } = service.server.publications!.deps

  async function imageNames(versionId: string): Promise<string[]> {
    const names: string[] = []
    for await (const { key } of blobs.list(`images/${versionId}/`)) names.push(key.slice(`images/${versionId}/`.length))
    return names.sort()
  }

  async function facts(count: number): Promise<string> {
    const { slug } = await publishPdf(service, { pages: count })
    await untilRendered(service, slug)
    const row = await db.selectFrom('versions').select('facts').orderBy('created_at', 'desc').executeTakeFirstOrThrow()
    return row.facts
  }

  test('makes an image of every page, 1200 pixels wide', async () => {
    const created = await publishPdf(service, { pdf: numberedPages(2) })

    const { status, pages_ready } = await untilRendered(service, created.slug)

    assert.deepEqual([created.status, status, pages_ready], ['processing', 'ready', 2])
    for (const address of await imageAddresses(service, created.slug)) {
      const { format, width, height, darkPixels } = await readPageImage(await fetch(address))
      assert.deepEqual([format, width, height], ['jpeg', 1200, 1552])
      assert.ok(darkPixels > 100)
    }
  })

  test('stores the text of the pages, and makes smaller images and WebP afterwards', async () => {
    const { slug } = await publishPdf(service, { pages: 2 })

    await untilRendered(service, slug)
    while ((await db.selectFrom('versions').where('has_work', '=', 1).select('id').executeTakeFirst()) !== undefined)
      await wait(20)

    const { id: versionId } = await db
      .selectFrom('versions')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const texts = await db
      .selectFrom('pages')
      .select('text')
      .where('version_id', '=', versionId)
      .orderBy('page')
      .execute()
    assert.deepEqual(
      texts.map(({ text }) => text),
      ['Page 1', 'Page 2'],
    )
    const names = ['1200.jpg', '1200.webp', '600.jpg', '600.webp']
    assert.deepEqual(
      await imageNames(versionId),
      [1, 2].flatMap((page) => names.map((name) => `${page}/${name}`)),
    )
  })

  test('continues after a page that cannot be rendered, and names it', async () => {
    const { slug } = await publishPdf(service, { pdf: damagedPages([2], 3) })

    const { status, pages_ready, failed_pages } = await untilRendered(service, slug)

    assert.deepEqual([status, pages_ready], ['ready', 3])
    assert.deepEqual(
      failed_pages?.map(({ page }) => page),
      [2],
    )
  })

  test('fails a document without any page that can be rendered, with the reason', async () => {
    const { slug } = await publishPdf(service, { pdf: damagedPages([1, 2], 2) })

    const { status, failure } = await untilRendered(service, slug)

    assert.equal(status, 'failed')
    assert.deepEqual(failure, {
      code: 'page_damaged',
      detail: 'No page could be rendered. The page cannot be read.',
    })
  })

  test('continues the work of an instance that died when its lease expires', async () => {
    const version = { ...UNRENDERED, facts: await facts(3), lease_owner: 'dead', lease_until: Date.now() + 300 }
    const { slug, versionId } = await storePublication(service, { pdf: numberedPages(3), pageCount: 3, version })
    await db
      .insertInto('pages')
      .values({
        version_id: versionId,
        page: 1,
        images: '{"1200.jpg":1}',
        is_complete: 1,
        failed_code: null,
        failed_reason: null,
        text: 'made before',
        words: new Uint8Array(),
      })
      .execute()
    await db.updateTable('versions').set({ pages_ready: 1 }).where('id', '=', versionId).execute()

    const { status, pages_ready } = await untilRendered(service, slug)

    assert.deepEqual([status, pages_ready], ['ready', 3])
    const first = await db
      .selectFrom('pages')
      .select('text')
      .where('version_id', '=', versionId)
      .where('page', '=', 1)
      .executeTakeFirstOrThrow()
    assert.equal(first.text, 'made before')
  })

  test('gives up a document that was claimed too often without finishing a page', async () => {
    const version = { ...UNRENDERED, facts: await facts(2), attempts: 5 }
    const { slug } = await storePublication(service, { pdf: numberedPages(2), pageCount: 2, version })
    renderQueue.wake()

    const { status, failure } = await untilRendered(service, slug)

    assert.deepEqual([status, failure?.code], ['failed', 'crashed'])
  })

  test('stops when the publication is deleted, and leaves no image', async () => {
    const { id, slug } = await publishPdf(service, { pages: 150 })
    const { id: versionId } = await db
      .selectFrom('versions')
      .select('id')
      .where('publication_id', '=', id)
      .executeTakeFirstOrThrow()
    while ((await imageNames(versionId)).length === 0) await wait(5)

    const deleted = await service.request('DELETE', `/publications/${slug}`)

    assert.equal(deleted.status, 204)
    while ((await imageNames(versionId)).length > 0) await wait(20)
    const { slug: later } = await publishPdf(service)
    await untilRendered(service, later)
    while ((await imageNames(versionId)).length > 0) await wait(20)
    const made = await db.selectFrom('pages').select('page').where('version_id', '=', versionId).execute()
    assert.ok(made.length < 150, `${made.length} pages were rendered`)
  })
})
