import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { keptPublications } from '../../src/publications/model/backup.ts'
import { imageKey, readImages } from '../../src/publications/model/image-forms.ts'
import { publicationsMigrations } from '../../src/publications/model/migrations.ts'
import { createPagesStore } from '../../src/publications/model/pages-store.ts'
import {
  type FinishedPage,
  giveUp,
  recordFoundSum,
  recordImages,
  recordPages,
} from '../../src/publications/model/record-pages.ts'
import type { PublicationsTables } from '../../src/publications/model/tables.ts'
import { createVersionsStore } from '../../src/publications/model/versions.ts'
import { databases, type TestDatabase } from '../support/databases.ts'
import { makeVersion } from '../support/make-version.ts'

async function open(engine: TestDatabase, t: TestContext) {
  const { db } = await engine.connect<PublicationsTables>(t, {
    name: 'publications',
    migrations: publicationsMigrations,
  })
  const row = (id: string) => db.selectFrom('versions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const publicationOf = (id: string) =>
    db.selectFrom('publications').selectAll().where('version_id', '=', id).executeTakeFirstOrThrow()
  return { db, versions: createVersionsStore(db), pages: createPagesStore(db), row, publicationOf }
}

const stored = (size: number) => ({ size, sha256: size.toString(16).padStart(64, '0') })

const good = (page: number, isComplete = false): FinishedPage => ({
  page,
  images: { '1200.jpg': stored(100 + page) },
  isComplete,
  text: `Page ${page}`,
  words: Uint8Array.of(1),
})

const bad = (page: number): FinishedPage => ({
  page,
  images: {},
  isComplete: true,
  failed: { code: 'timed_out', reason: 'It took too long.' },
  text: '',
  words: Uint8Array.of(1),
})

const from1To = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

for (const engine of databases) {
  describe(`Leases of versions on ${engine.name}`, () => {
    test('are granted for the oldest version first, and once for each version', async (t) => {
      const { db, versions } = await open(engine, t)
      const newer = await makeVersion(db, { created_at: 2 })
      const older = await makeVersion(db, { created_at: 1 })
      await makeVersion(db, { created_at: 0, has_work: 0 })

      const claimed = [
        await versions.claim('pages', 'me', 10, 20),
        await versions.claim('pages', 'you', 10, 20),
        await versions.claim('pages', 'me', 10, 20),
      ]

      assert.deepEqual(
        claimed.map((version) => version?.id),
        [older, newer, undefined],
      )
    })

    test('are not granted for versions that the claimer still works on, though they have expired', async (t) => {
      const { db, versions } = await open(engine, t)
      const [first, second] = [await makeVersion(db, { created_at: 1 }), await makeVersion(db, { created_at: 2 })]
      await versions.claim('pages', 'me', 10, 20)

      const claimed = [
        await versions.claim('pages', 'me', 20, 30, [first]),
        await versions.claim('pages', 'me', 20, 30, [first]),
        await versions.claim('pages', 'me', 20, 30),
      ]

      assert.deepEqual(
        claimed.map((version) => version?.id),
        [second, undefined, first],
      )
    })

    test('are never granted to two concurrent workers', async (t) => {
      const { db, versions } = await open(engine, t)
      const ids = await Promise.all(from1To(5).map((createdAt) => makeVersion(db, { created_at: createdAt })))

      const claimed = await Promise.all(from1To(8).map((claimer) => versions.claim('pages', `${claimer}`, 10, 20)))

      const given = claimed.filter((version) => version !== undefined).map(({ id }) => id)
      assert.deepEqual(given.sort(), ids.sort())
    })

    test('are granted again after they expire, and every attempt is counted', async (t) => {
      const { db, versions, row } = await open(engine, t)
      const id = await makeVersion(db)
      await versions.claim('pages', 'dead', 10, 20)

      const early = await versions.claim('pages', 'me', 19, 30)
      const late = await versions.claim('pages', 'me', 20, 30)

      assert.equal(early, undefined)
      assert.deepEqual([late?.id, late?.attempts], [id, 2])
      assert.equal((await row(id)).lease_owner, 'me')
    })

    test('are extended only by their holder', async (t) => {
      const { db, versions } = await open(engine, t)
      const [mine, other, gone] = [await makeVersion(db), await makeVersion(db), crypto.randomUUID()]
      await versions.claimOne(mine, 'me', 10, 20)
      await versions.claimOne(other, 'you', 10, 20)

      const held = await versions.extendLeases([mine, other, gone], 'me', 50)

      assert.deepEqual(held, [mine])
      assert.equal((await versions.claim('pages', 'third', 30, 40))?.id, other)
      assert.equal(await versions.claim('pages', 'third', 30, 40), undefined)
    })

    test('can be released until a later time, without counting an attempt', async (t) => {
      const { db, versions, row } = await open(engine, t)
      const id = await makeVersion(db)
      await versions.claim('pages', 'me', 10, 20)

      await versions.release(id, 'you', null, true)
      await versions.release(id, 'me', 15, false)

      assert.equal((await row(id)).attempts, 0)
      assert.equal(await versions.claim('pages', 'you', 14, 30), undefined)
      assert.equal((await versions.claim('pages', 'you', 15, 30))?.id, id)
    })

    test('are for further images only once every page has its first', async (t) => {
      const { db, versions } = await open(engine, t)
      const pages = await makeVersion(db, { page_count: 2, pages_ready: 1 })
      const further = await makeVersion(db, { page_count: 2, pages_ready: 2 })

      const claimed = await versions.claim('further images', 'me', 10, 20)
      const none = await versions.claim('further images', 'me', 10, 20)

      assert.deepEqual([claimed?.id, none], [further, undefined])
      assert.equal((await versions.claim('pages', 'me', 10, 20))?.id, pages)
    })
  })

  describe(`Finished pages on ${engine.name}`, () => {
    test('make a version ready with its twentieth page, and then visible to readers', async (t) => {
      const { db, row, publicationOf } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 30, attempts: 3 }, { shown_version_id: 'an earlier one' })

      const before = await recordPages(
        db,
        id,
        [...from1To(19), 21, 22].map((page) => good(page)),
        5_000,
      )
      const after = await recordPages(db, id, [good(20)], 5_000)

      assert.deepEqual(before, { status: 'processing', pageCount: 30, pagesReady: 21 })
      assert.deepEqual(after, { status: 'ready', pageCount: 30, pagesReady: 22 })
      const { has_work, attempts } = await row(id)
      assert.deepEqual([has_work, attempts], [1, 0])
      const { shown_version_id, updated_at } = await publicationOf(id)
      assert.deepEqual([shown_version_id, updated_at], [null, 5_000])
    })

    test('are counted once even if written twice, and never change', async (t) => {
      const { db, pages } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 6 })

      await recordPages(db, id, [good(1), bad(2)], 1)
      await Promise.all([
        recordPages(db, id, [good(2), good(3), good(4)], 2),
        recordPages(db, id, [good(4), good(3), good(5)], 2),
      ])
      const progress = await recordPages(db, id, [good(5)], 3)

      assert.equal(progress?.pagesReady, 5)
      assert.deepEqual(await pages.find(id, [2, 6]), [
        { page: 2, images: {}, isComplete: true, failed: { code: 'timed_out', reason: 'It took too long.' } },
      ])
    })

    test('complete the version only once all images are stored', async (t) => {
      const { db, pages, row } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 2, lease_owner: 'me', lease_until: 9 })

      await recordPages(db, id, [good(1), bad(2)], 1)
      const { has_work: before } = await row(id)
      await recordImages(db, id, [{ page: 1, images: { '2400.webp': stored(7) } }], 1)
      const { has_work: between } = await row(id)
      await recordImages(db, id, [{ page: 1, images: { '600.jpg': stored(5) }, isComplete: true }], 1)
      const { has_work: after, lease_owner } = await row(id)

      assert.deepEqual([before, between, after, lease_owner], [1, 1, 0, null])
      const [page] = await pages.find(id, [1])
      assert.deepEqual(page.images, { '1200.jpg': 101, '2400.webp': 7, '600.jpg': 5 })
    })

    test('have the SHA-256 of each image, or that of its file if none was known', async (t) => {
      const { db } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 2, lease_owner: 'me', lease_until: 9 })
      const imagesOf = async () => {
        const row = await db.selectFrom('pages').select(['images', 'image_sums']).executeTakeFirstOrThrow()
        return readImages(row)
      }
      const found = (name: string, size: number) =>
        recordFoundSum(db, imageKey(id, 1, name), { size, sha256: 'f'.repeat(64) })

      await recordPages(db, id, [good(1)], 1)
      await recordImages(db, id, [{ page: 1, images: { '600.jpg': stored(5) } }], 1)
      await found('1200.jpg', 101)
      assert.deepEqual(await imagesOf(), { '1200.jpg': stored(101), '600.jpg': stored(5) })

      // An instance of the version before makes an image again.
      await db.updateTable('pages').set({ images: '{"1200.jpg":101,"600.jpg":6}' }).execute()
      assert.deepEqual(await imagesOf(), { '1200.jpg': stored(101), '600.jpg': { size: 6 } })
      await found('600.jpg', 7)
      assert.deepEqual((await imagesOf())['600.jpg'], { size: 6 }, 'the file is made again at this moment')
      await found('600.jpg', 6)
      assert.deepEqual((await imagesOf())['600.jpg'], { size: 6, sha256: 'f'.repeat(64), isFound: true })

      await db.updateTable('pages').set({ image_sums: null }).execute()
      await found('1200.jpg', 101)
      assert.deepEqual(await imagesOf(), {
        '1200.jpg': { size: 101, sha256: 'f'.repeat(64), isFound: true },
        '600.jpg': { size: 6 },
      })
    })

    test('are named for backups also without their SHA-256', async (t) => {
      const { db } = await open(engine, t)
      const id = await makeVersion(db)
      await recordPages(db, id, [good(1)], 1)
      await db.updateTable('pages').set({ image_sums: null }).execute()

      const named: unknown[] = []
      for await (const { key, size, sha256 } of keptPublications.blobs.pages(db as unknown as Kysely<unknown>))
        named.push([key, size, sha256])

      assert.deepEqual(named, [[`images/${id}/1/1200.jpg`, 101, undefined]])
    })

    test('fail a version only when all of them have failed', async (t) => {
      const { db, row, publicationOf } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 21 }, { shown_version_id: 'an earlier one' })

      const most = await recordPages(db, id, from1To(20).map(bad), 1)
      const all = await recordPages(db, id, [bad(21)], 5_000)

      assert.deepEqual([most?.status, all?.status], ['processing', 'failed'])
      const { failure, has_work } = await row(id)
      const detail = 'No page could be rendered. It took too long.'
      assert.deepEqual([JSON.parse(failure ?? ''), has_work], [{ code: 'timed_out', detail }, 0])
      const { shown_version_id, updated_at } = await publicationOf(id)
      assert.deepEqual([shown_version_id, updated_at], ['an earlier one', 5_000])
    })

    test('make a version ready with the first rendered page after twenty failed ones', async (t) => {
      const { db } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 30 })

      await recordPages(db, id, from1To(20).map(bad), 1)
      const progress = await recordPages(db, id, [good(21)], 1)

      assert.equal(progress?.status, 'ready')
    })

    test('are not written for a publication that is being deleted', async (t) => {
      const { db, versions, pages } = await open(engine, t)
      const id = await makeVersion(db, {}, { deleted_at: 1 })

      const progress = await recordPages(db, id, [good(1)], 2)

      assert.deepEqual([progress, await pages.list(id)], [undefined, []])
      assert.equal(await recordImages(db, id, [{ page: 1, images: {} }], 2), undefined)
      assert.deepEqual([...(await versions.progressOf([id]))], [])
    })

    test('do not change the publication once a later version has replaced theirs', async (t) => {
      const { db } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 1 }, { version_id: 'a later one', shown_version_id: 'shown' })

      await recordPages(db, id, [good(1)], 5_000)

      const publication = await db.selectFrom('publications').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([publication.shown_version_id, publication.updated_at], ['shown', 1_000])
    })
  })

  describe(`Giving up a version on ${engine.name}`, () => {
    const reason = { code: 'crashed', reason: 'Rendering was given up.' }

    test('fails the missing pages and keeps the others', async (t) => {
      const { db, pages, row } = await open(engine, t)
      const id = await makeVersion(db, { page_count: 1_200 })
      await recordPages(db, id, [good(2)], 1)

      const progress = await giveUp(db, id, reason, Uint8Array.of(1), 2)

      assert.deepEqual(progress, { status: 'ready', pageCount: 1_200, pagesReady: 1_200 })
      assert.equal((await row(id)).has_work, 0)
      const [first, second] = await pages.find(id, [1, 2])
      assert.deepEqual([first.failed, second.failed, second.isComplete], [reason, undefined, true])
    })

    test('fails a version without any page', async (t) => {
      const { db } = await open(engine, t)
      const id = await makeVersion(db)

      const progress = await giveUp(db, id, reason, Uint8Array.of(1), 2)

      assert.deepEqual(progress, { status: 'failed', pageCount: 3, pagesReady: 3 })
    })
  })
}
