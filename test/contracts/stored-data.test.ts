import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { createBackup } from '#platform/backup/create-backup.ts'
import type { Installation } from '#platform/backup/kept-data.ts'
import { readConfig } from '#platform/basics/config.ts'
import { createLogger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { checkStoredData, noteBackup } from '#platform/doctor/check-stored-data.ts'
import { DataInspector } from '#platform/doctor/data-inspector.ts'
import type { InspectionStore } from '#platform/doctor/inspection-store.ts'
import { repairData } from '#platform/doctor/storage-commands.ts'
import { verifyFiles } from '#platform/doctor/stored-data.ts'
import { platformConfig } from '../../src/config.ts'
import { describeInstallation } from '../../src/installation.ts'
import type { Upkeep } from '../../src/operator/dashboard/routes.ts'
import { keptPublications } from '../../src/publications/model/backup.ts'
import { addImages, parseImageKey, type StoredImages } from '../../src/publications/model/image-forms.ts'
import { keptTracks } from '../../src/tracks/points/storage/inspection.ts'
import { fileBlobs, s3Blobs } from '../support/blob-stores.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { ADMIN } from '../support/run-program.ts'
import { startService } from '../support/start-service.ts'
import '../support/stretch-once.ts'
import { trackRequests } from '../support/track-requests.ts'

const PASSPHRASE = 'two boats on a quiet lake'
const DAY_MS = 86_400_000
/** All parts are read within as many rounds. */
const ROUNDS = 7

for (const database of databases)
  describe(`stored data on ${database.name}`, async () => {
    const blobStore = database.name === 'SQLite' ? fileBlobs : s3Blobs
    const service = await startService({ after }, database, { blobs: blobStore, signedIn: true })
    const { publications, tracks } = service.server
    // The tests have inspectors of their own, whose clock goes faster.
    for (const { deps } of [publications!, tracks!]) await deps.inspection.inspector.close()
    const { blobs, inspection, db, dataDir, databaseUrl, config } = publications!.deps
    const installation: Installation = (() => {
      const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, BLOBS_URL: config.blobsUrl }
      return describeInstallation(readConfig({ platform: platformConfig }, env).platform, env)
    })()
    const { id, slug } = await publishPdf(service, { title: 'Whole', pages: 2 })
    await untilRendered(service, slug)
    const pages = db.selectFrom('pages').select('page').where('is_complete', '=', 0)
    while ((await pages.execute()).length > 0) await wait(10)
    const keys: string[] = []
    for await (const { key } of blobs.list()) keys.push(key)
    const document = keys.find((key) => key.startsWith('documents/'))!
    const [image, otherImage] = keys.filter((key) => key.startsWith('images/')).sort()
    let nowMs = Date.now()

    function inspectorOf(store: InspectionStore, look: BlobStore = blobs) {
      return new DataInspector({
        kept: keptPublications,
        db: db as unknown as Kysely<unknown>,
        store,
        blobs: async () => look,
        logger: createLogger('silent'),
        now: () => nowMs,
        pause: async () => {},
      })
    }

    /** Goes through all data, as often as it takes to read everything. */
    async function inspect(rounds = ROUNDS): Promise<string[]> {
      for (let round = 0; round < rounds; round++) {
        nowMs += DAY_MS
        await inspectorOf(inspection.store).inspect()
      }
      return (await inspection.store.list(100)).map(({ key, problem }) => `${key} ${problem}`)
    }

    /** Puts other bytes into a file, or removes it, until the work is done. */
    async function whileIt(key: string, change: ((bytes: Buffer) => Buffer) | 'missing', work: () => Promise<void>) {
      const bytes = await buffer((await blobs.read(key))!)
      if (change === 'missing') await blobs.delete(key)
      else await put(key, change(bytes))
      await work().finally(() => put(key, bytes))
    }

    /** Reads everything, as the command does. */
    async function badFiles(look: BlobStore = blobs): Promise<string[]> {
      const bad: string[] = []
      await verifyFiles(installation, look, async ({ blob }) => void bad.push(blob.key))
      return bad
    }

    async function put(key: string, bytes: Buffer): Promise<void> {
      await (
        await blobs.draft(
          (async function* () {
            yield bytes
          })(),
        )
      ).replace(key)
    }

    const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)))

    test('is found to be whole', async () => {
      assert.deepEqual(await inspect(), [])
    })

    test('that is missing or has another size is found within a day, and said by the publication and metrics', async () => {
      await whileIt(document, 'missing', () =>
        whileIt(
          image,
          () => Buffer.alloc(0),
          async () => {
            assert.deepEqual(await inspect(1), [`${document} missing`, `${image} damaged`])
            const { damage } = await service.answer<{ damage: unknown }>(200, 'GET', `/operator/publications/${id}`)
            assert.deepEqual(damage, { document: 'missing', images: 1 })
            const metrics = await (await fetch(`${service.url}/metrics`)).text()
            assert.match(metrics, /^damaged_files\{service="publications",problem="missing"\} 1$/m)
            assert.match(metrics, /^damaged_files\{service="publications",problem="damaged"\} 1$/m)
          },
        ),
      )
      assert.deepEqual(await inspect(1), [])
      const { damage } = await service.answer<{ damage: unknown }>(200, 'GET', `/operator/publications/${id}`)
      assert.equal(damage, null)
    })

    test('whose bytes have changed is found within a week, and no longer than it is so', async () => {
      const damaged = [`${document} damaged`, `${image} damaged`]
      await whileIt(document, flip, () =>
        whileIt(image, flip, async () => {
          assert.deepEqual(await inspect(), damaged)
          assert.deepEqual(await inspect(1), damaged)
          assert.deepEqual((await badFiles()).sort(), [document, image])
        }),
      )
      assert.deepEqual(await inspect(1), [])
    })

    test('of an earlier version, whose page images have no SHA-256, is known by what it was when it was first read', async () => {
      const { image_sums } = await db.selectFrom('pages').select('image_sums').orderBy('page').executeTakeFirstOrThrow()
      await db.updateTable('pages').set({ image_sums: null }).execute()
      await whileIt(image, flip, async () => assert.deepEqual(await badFiles(), []))

      assert.deepEqual(await inspect(), [])

      await whileIt(image, flip, async () => {
        assert.deepEqual(await inspect(), [`${image} damaged`])
        assert.deepEqual(await badFiles(), [image])
      })
      assert.deepEqual(await inspect(1), [])
      // It may have been damaged when it was first read, so the bytes of an earlier backup say more than it.
      const folder = mkdtempSync(join(tmpdir(), 'found-'))
      after(() => rmSync(folder, { recursive: true, force: true }))
      await createBackup(installation, folder, {})
      await db.updateTable('pages').set({ image_sums: null }).execute()
      await whileIt(image, flip, async () => {
        assert.deepEqual(await inspect(), [])
        // A bucket tells times to the second, by which it may not have changed.
        const later = { ...installation, now: () => Date.now() + 40 * DAY_MS }
        const { damaged } = await createBackup(later, folder, {})
        assert.deepEqual(damaged, [image])
      })
      await db.updateTable('pages').set({ image_sums: null }).execute()
      assert.deepEqual(await inspect(), [])
      const read = await db.selectFrom('pages').select('image_sums').orderBy('page').executeTakeFirstOrThrow()
      const sumsOf = (text: string) =>
        Object.entries(JSON.parse(text) as StoredImages).map(([name, { sha256 }]) => `${name} ${sha256}`)
      assert.deepEqual(sumsOf(read.image_sums!).sort(), sumsOf(image_sums!).sort())
    })

    test('that was deleted meanwhile is not missing', async () => {
      const doomed = await publishPdf(service, { title: 'Doomed' })
      await untilRendered(service, doomed.slug)
      const deleting = {
        ...blobs,
        async head(key: string) {
          await db.updateTable('publications').set({ deleted_at: 1 }).where('id', '=', doomed.id).execute()
          return keys.includes(key as string) ? await blobs.head(key) : undefined
        },
      }
      nowMs += DAY_MS
      await inspectorOf(inspection.store, deleting).inspect()
      assert.deepEqual(await inspection.store.list(9), [])
    })

    test('that was made again meanwhile is not damaged', async () => {
      const { versionId, page, name } = parseImageKey(image)
      const row = db.selectFrom('pages').where('version_id', '=', versionId).where('page', '=', page)
      const before = await row.select(['images', 'image_sums']).executeTakeFirstOrThrow()
      const setRow = async (columns: typeof before) =>
        await db
          .updateTable('pages')
          .set(columns)
          .where('version_id', '=', versionId)
          .where('page', '=', page)
          .execute()
      const bytes = Buffer.from('made again')
      const after = addImages(before, { [name]: { size: bytes.length, sha256: hash('sha256', bytes) } })
      const remaking = {
        ...blobs,
        async head(key: string) {
          if (key === image) await setRow(after)
          return await blobs.head(key)
        },
      }
      await whileIt(
        image,
        () => bytes,
        async () => {
          assert.deepEqual(await badFiles(remaking), [])
          await setRow(before)
          nowMs += DAY_MS
          await inspectorOf(inspection.store, remaking).inspect()
          assert.deepEqual(await inspection.store.list(9), [])
        },
      )
      await setRow(before)
    })

    test('is inspected by one instance, and by another after it was killed, from where it was', async () => {
      nowMs += DAY_MS
      const seen: string[] = []
      const { promise: stuck, resolve } = Promise.withResolvers<void>()
      const never = Promise.withResolvers<undefined>()
      // Time goes by at each file, so that the place is noted, until the last file never answers.
      const dying = {
        ...blobs,
        async head(key: string) {
          nowMs += 11_000
          seen.push(key)
          if (seen.length < 5) return await blobs.head(key)
          resolve()
          return await never.promise
        },
      }
      void inspectorOf(inspection.store, dying).inspect()
      await stuck
      const other: string[] = []
      const watching = {
        ...blobs,
        async head(key: string) {
          other.push(key)
          return await blobs.head(key)
        },
      }
      await inspectorOf(inspection.store, watching).inspect()
      assert.equal(other.length, 0)
      nowMs += 121_000
      await inspectorOf(inspection.store, watching).inspect()

      assert.ok(other.length > 0 && !other.includes(seen[0]), `${seen} ${other}`)
      assert.deepEqual(new Set<string>([...seen, ...other]), new Set<string>(keys))
      assert.equal(await inspection.store.roundEndedMs(), nowMs)
    })

    test('of tracks is read as well: a damaged chunk is named', async () => {
      // It would put a good chunk in the place of the damaged one.
      await tracks!.deps.compactor.close()
      const track = await trackRequests(service.request).sync({ points: makePoints(50) })
      const { deps } = tracks!
      const inspector = new DataInspector({
        kept: keptTracks,
        db: deps.db as unknown as Kysely<unknown>,
        store: deps.inspection.store,
        blobs: undefined,
        logger: createLogger('silent'),
        now: () => nowMs,
        pause: async () => {},
      })
      const round = async () => {
        nowMs += DAY_MS
        await inspector.inspect()
      }
      for (let i = 0; i < ROUNDS; i++) await round()
      assert.deepEqual(await deps.inspection.store.list(9), [])
      const { bytes } = await deps.db.selectFrom('chunks').select('bytes').executeTakeFirstOrThrow()
      await deps.db
        .updateTable('chunks')
        .set({ bytes: flip(Buffer.from(bytes)) })
        .execute()

      for (let i = 0; i < ROUNDS; i++) await round()
      const [found] = await deps.inspection.store.list(9)
      assert.deepEqual(
        [found.subject_id, found.kind, found.detail],
        [track, 'chunk', 'Damaged chunk: its checksum does not match'],
      )
      const metrics = await (await fetch(`${service.url}/metrics`)).text()
      assert.match(metrics, /^damaged_chunks\{service="tracks",problem="damaged"\} 1$/m)
      await deps.db.updateTable('chunks').set({ bytes }).execute()
      for (let i = 0; i < ROUNDS; i++) await round()
      assert.deepEqual(await deps.inspection.store.list(9), [])
    })

    {
      const passphrase = database.name === 'SQLite' ? undefined : PASSPHRASE
      test(`is repaired from ${passphrase === undefined ? 'a' : 'an encrypted'} backup`, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'repair-'))
        after(() => rmSync(folder, { recursive: true, force: true }))
        await createBackup(installation, folder, { passphrase })
        await whileIt(document, flip, async () => {
          await whileIt(otherImage, flip, async () => {
            await whileIt(image, 'missing', async () => {
              // Snapshots of later keep the good copies, also where nothing else is kept.
              await createBackup({ ...installation, now: () => Date.now() + 40 * DAY_MS }, folder, {
                passphrase,
                keep: 1,
              })
              await inspect()
              const { repaired, not_repaired } = await repairData(installation, blobs, folder, { passphrase })

              assert.deepEqual([repaired.sort(), not_repaired], [[document, image, otherImage], []])
              assert.deepEqual(await inspection.store.list(9), [])
              assert.deepEqual(await badFiles(), [])
            })
          })
        })
      })

      test(`of tracks is repaired from a backup, ${passphrase === undefined ? '' : 'encrypted, '}where it is sure to be the same`, async () => {
        const { db: points } = tracks!.deps
        await tracks!.deps.compactor.close()
        const { sync } = trackRequests(service.request)
        const ids: string[] = []
        for (let i = 0; i < 5; i++) ids.push(await sync({ points: makePoints(50 + i) }))
        const [payload, checksum, overwritten, changed] = ids
        const ofTrack = (id: string) => points.selectFrom('chunks').where('track_id', '=', id)
        const bytesOf = async (id: string) =>
          Buffer.from((await ofTrack(id).select('bytes').executeTakeFirstOrThrow()).bytes)
        const setBytes = async (id: string, bytes: Uint8Array) =>
          void (await points.updateTable('chunks').set({ bytes }).where('track_id', '=', id).execute())
        const good = new Map<string, Buffer>()
        for (const id of ids) good.set(id, await bytesOf(id))
        const folder = mkdtempSync(join(tmpdir(), 'repair-'))
        after(() => rmSync(folder, { recursive: true, force: true }))
        await createBackup(installation, folder, { passphrase })

        await setBytes(payload, flip(good.get(payload)!))
        await setBytes(
          checksum,
          Buffer.concat([good.get(checksum)!.subarray(0, -1), Buffer.of(good.get(checksum)!.at(-1)! ^ 1)]),
        )
        await setBytes(overwritten, Buffer.alloc(good.get(overwritten)!.length))
        await setBytes(changed, flip(good.get(ids[4])!))
        // The newest snapshot has the damage, too.
        await createBackup(installation, folder, { passphrase })
        const { repaired, not_repaired } = await repairData(installation, blobs, folder, { passphrase })

        const idOf = (key: string) => key.split('/')[0]
        assert.deepEqual(new Set(repaired.map(idOf)), new Set([payload, checksum]))
        assert.deepEqual(new Set(not_repaired.map(({ key }) => idOf(key))), new Set([overwritten, changed]))
        assert.equal(not_repaired[0].reason, 'no snapshot has a good copy of it')
        for (const id of repaired.map(idOf)) assert.deepEqual(await bytesOf(id), good.get(id))
        assert.deepEqual(await bytesOf(overwritten), Buffer.alloc(good.get(overwritten)!.length))
        for (const id of ids) await setBytes(id, good.get(id)!)
      })
    }

    if (database.name === 'SQLite')
      test('is repaired by a command that may be killed at any time, and is repeated', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'repair-'))
        after(() => rmSync(folder, { recursive: true, force: true }))
        await createBackup(installation, folder, {})
        const good = new Map<string, Buffer>()
        for (const key of keys) good.set(key, await buffer((await blobs.read(key))!))
        const bad = Buffer.from('bad')
        for (const key of keys) await put(key, bad)
        const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
        const bytesOf = async (key: string) => await buffer((await blobs.read(key))!)
        const isMended = async (key: string) => !(await bytesOf(key)).equals(bad)

        const killed = spawn(process.execPath, [ADMIN, 'storage', 'repair', folder], { env, stdio: 'ignore' })
        while (!(await isMended(document)) && killed.exitCode === null) await wait(1)
        killed.kill('SIGKILL')
        if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit')
        for (const key of keys) if (await isMended(key)) assert.deepEqual(await bytesOf(key), good.get(key), key)

        const { not_repaired } = await repairData(installation, blobs, folder, {})
        assert.deepEqual(not_repaired, [])
        for (const key of keys) assert.deepEqual(await bytesOf(key), good.get(key), key)
      })

    test('that no backup has is named, and stays as it is', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'repair-'))
      after(() => rmSync(folder, { recursive: true, force: true }))
      await whileIt(document, flip, async () => {
        await createBackup(installation, folder, {})
        const { repaired, not_repaired } = await repairData(installation, blobs, folder, {})
        const reason = 'no snapshot has a good copy of it'
        assert.deepEqual(repaired, [])
        assert.deepEqual(not_repaired, [{ key: document, problem: 'its SHA-256 is another one', reason }])
        assert.ok(await blobs.head(document))
      })
    })

    test('has the time of its last backup, for metrics, doctor and owners', async () => {
      const time = /^trackpress_backup_last_success_seconds\{service="(\w+)"\} (\S+)$/gm
      const read = async () => [...(await (await fetch(`${service.url}/metrics`)).text()).matchAll(time)]
      assert.deepEqual(new Set((await read()).map(([, , seconds]) => seconds)), new Set(['0']))

      const overdue = async () => (await service.answer<Upkeep>(200, 'GET', '/operator/upkeep')).backup.is_overdue
      const doctor = async (atMs: number) =>
        (await checkStoredData(installation, () => atMs)).map(({ check, level }) => `${check} ${level}`)
      const operators = service.server.operator!.deps.database.db
      assert.equal(await overdue(), false, 'the installation is new')
      assert.ok((await doctor(Date.now())).includes('tracks backup warning'))
      await operators.updateTable('operators').set({ created_at: 1 }).execute()
      assert.equal(await overdue(), true)

      await noteBackup({ ...installation, now: () => 1_800_000_000_000 })

      assert.equal(await overdue(), false)
      const healthy = ['tracks', 'publications', 'operator'].flatMap((name) => [`${name} backup ok`, `${name} ok`])
      assert.deepEqual(await doctor(1_800_000_000_000 + 2 * DAY_MS), healthy)
      assert.ok((await doctor(1_800_000_000_001 + 2 * DAY_MS)).includes('tracks backup warning'))
      await whileIt(document, 'missing', async () => {
        await inspect(1)
        const [found] = (await checkStoredData(installation, () => nowMs)).filter(({ level }) => level === 'error')
        assert.equal(found.found, `1 stored files or chunks are missing or damaged: ${document} (missing).`)
      })

      assert.deepEqual((await read()).map(([, name, seconds]) => `${name} ${seconds}`).sort(), [
        'operator 1800000000',
        'publications 1800000000',
        'tracks 1800000000',
      ])
    })
  })
