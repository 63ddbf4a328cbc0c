import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { listBackups } from '#platform/backup/backup-commands.ts'
import { BackupFolder } from '#platform/backup/backup-folder.ts'
import { createBackup, holdLock } from '#platform/backup/create-backup.ts'
import type { Installation } from '#platform/backup/kept-data.ts'
import type { Manifest } from '#platform/backup/manifest.ts'
import { restoreBackup } from '#platform/backup/restore-backup.ts'
import { requireFinishedRestore } from '#platform/backup/unfinished-restore.ts'
import { verifyBackup } from '#platform/backup/verify-backup.ts'
import { readConfig } from '#platform/basics/config.ts'
import { platformConfig } from '../../src/config.ts'
import { describeInstallation } from '../../src/installation.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { ADMIN } from '../support/run-program.ts'
import { type StartedService, startService } from '../support/start-service.ts'
import '../support/stretch-once.ts'
import { trackRequests } from '../support/track-requests.ts'

const PASSPHRASE = 'two boats on a quiet lake'

/** A new folder, which is removed at the end of the file. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backups-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function installationAt(dataDir: string, databaseUrl = ''): Installation {
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  return describeInstallation(readConfig({ platform: platformConfig }, env).platform, env)
}

async function startFilled(owner: Owner, database: TestDatabase): Promise<StartedService> {
  const service = await startService(owner, database)
  await trackRequests(service.request).sync({ points: makePoints(50) })
  await publish(service, 'First')
  return service
}

async function publish(service: StartedService, title: string): Promise<string> {
  const { slug } = await publishPdf(service, { title })
  await untilRendered(service, slug)
  return slug
}

/** Returns the paths of all files below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Finds the files of a kind, the largest first. */
function find(folder: string, kind: RegExp): string[] {
  return filesIn(folder)
    .filter((file) => kind.test(file))
    .sort((a, b) => statSync(b).size - statSync(a).size)
}

async function problems(installation: Installation, folder: string, passphrase?: string): Promise<string[]> {
  return (await verifyBackup(installation, folder, { passphrase })).flatMap((report) => report.problems)
}

/** A running program with a track and a publication, on each engine. */
const sources = new Map<string, StartedService>()
for (const database of databases) sources.set(database.name, await startFilled({ after }, database))

const embedded = sources.get('SQLite')
const server = databases.find(({ name }) => name === 'PostgreSQL')

if (embedded !== undefined)
  describe('a folder of backups', async () => {
    const service = embedded
    const { dataDir } = service.server.publications!.deps
    const installation = installationAt(dataDir)
    const plain = join(newFolder(), 'plain')
    const sealed = join(newFolder(), 'sealed')
    await untilAllImages()
    const [lost] = find(join(dataDir, 'blobs/images'), /1200\.webp$/)
    await createBackup(installation, plain, { includesSecret: true })
    await createBackup(installation, sealed, { passphrase: PASSPHRASE })

    test('is in order as it was written, encrypted or not', async () => {
      assert.deepEqual(await problems(installation, plain), [])
      assert.deepEqual(await problems(installation, sealed, PASSPHRASE), [])
    })

    test('tells nothing by the names and contents of its files if it is encrypted', () => {
      const known = Buffer.from('%PDF-')
      for (const file of filesIn(sealed)) {
        assert.doesNotMatch(file.slice(sealed.length), /tracks|publications|operator|documents|images|pdf|sqlite/)
        assert.equal(readFileSync(file).includes(known), false)
      }
      assert.ok(filesIn(plain).some((file) => readFileSync(file).includes(known)))
    })

    test('needs its passphrase, and no other', async () => {
      const verify = (passphrase?: string) => verifyBackup(installation, sealed, { passphrase })
      await assert.rejects(verify(), /are encrypted\. Name the file of the passphrase/)
      await assert.rejects(verify(`${PASSPHRASE}!`), /passphrase is not the one of this backup/)
      await assert.rejects(verifyBackup(installation, plain, { passphrase: PASSPHRASE }), /are not encrypted/)
      await assert.rejects(createBackup(installation, sealed, {}), /are encrypted/)
    })

    test('gets only what is new, and loses what no snapshot needs', async () => {
      const folder = join(newFolder(), 'growing')
      const first = await createBackup(installation, folder, {})
      const second = await createBackup(installation, folder, {})
      const added = await publish(service, 'Second')
      const third = await createBackup(installation, folder, {})
      await service.request('DELETE', `/publications/${added}`)
      const fourth = await createBackup(installation, folder, { keep: 2 })
      const fifth = await createBackup(installation, folder, { keep: 1 })

      assert.equal(first.copied.count, first.manifest.blobs.count)
      assert.equal(second.copied.count, 0)
      assert.equal(third.copied.count, third.manifest.blobs.count - second.manifest.blobs.count)
      assert.deepEqual(fourth.pruned, { snapshots: [first.snapshot, second.snapshot], files: 0 })
      assert.deepEqual(fifth.pruned?.snapshots, [third.snapshot, fourth.snapshot])
      assert.equal(fifth.pruned?.files, third.copied.count)
      assert.equal(filesIn(join(folder, 'blobs')).length, fifth.manifest.blobs.count)
      assert.deepEqual(await problems(installation, folder), [])
    })

    test('counts files that are gone with their rows apart from those that should be there', async () => {
      const folder = join(newFolder(), 'gaps')
      const doomed = await publish(service, 'Doomed')
      await untilAllImages()
      const bytes = readFileSync(lost)
      rmSync(lost)
      const deleting: Installation = {
        ...installation,
        // Said after the databases are copied, and before the files are.
        say: (line) => {
          if (line.startsWith('Copying those')) deletePublication(doomed)
        },
      }

      const { manifest, missing } = await createBackup(deleting, folder, {})
      writeFileSync(lost, bytes)

      // The document, and four images of its page.
      assert.equal(manifest.blobs.deleted, 5)
      assert.deepEqual(missing, [lost.slice(join(dataDir, 'blobs/').length)])
      assert.deepEqual(await problems(installation, folder), [])
      assert.equal((await createBackup(installation, folder, {})).manifest.blobs.missing, 0)
    })

    /** Waits for the images that are made after the first of each page. */
    async function untilAllImages(): Promise<void> {
      const database = new DatabaseSync(join(dataDir, 'publications.sqlite'), { readOnly: true })
      const statement = database.prepare(`select count(*) as count from pages
        join versions on versions.id = pages.version_id join publications on publications.id = publication_id
        where is_complete = 0 and publications.deleted_at is null`)
      while (statement.get()!.count !== 0) await wait(10)
      database.close()
    }

    /** Deletes a publication as the server does: the row says so, and the files are gone. */
    function deletePublication(of: string): void {
      const database = new DatabaseSync(join(dataDir, 'publications.sqlite'), { timeout: 5_000 })
      const sql =
        'select v.id, v.blob_key from versions v join publications p on p.id = v.publication_id where p.slug = ?'
      const { id, blob_key } = database.prepare(sql).get(of)!
      database.prepare('update publications set deleted_at = 1 where slug = ?').run(of)
      database.close()
      rmSync(join(dataDir, 'blobs', String(blob_key)))
      rmSync(join(dataDir, 'blobs/images', String(id)), { recursive: true })
    }

    describe('of an installation whose file is damaged', () => {
      const keyOf = (file: string) => file.slice(join(dataDir, 'blobs/').length)
      const [document] = find(join(dataDir, 'blobs/documents'), /./)
      const bytes = readFileSync(document)
      const flipped = Buffer.from(bytes)
      flipped[flipped.length >> 1] ^= 1
      const daysLater = (days: number): Installation => ({ ...installation, now: () => Date.now() + days * 86_400_000 })
      /** Runs something while the file has other bytes, or is not there. */
      async function whileIt(is: Buffer | 'missing', run: () => Promise<void>): Promise<void> {
        const { atime, mtime } = statSync(document)
        const put = (content: Buffer) => {
          writeFileSync(document, content)
          utimesSync(document, atime, mtime)
        }
        if (is === 'missing') rmSync(document)
        else put(is)
        await run().finally(() => put(bytes))
      }
      async function restoredDocument(folder: string, snapshot?: string): Promise<Buffer> {
        const target = installationAt(join(newFolder(), 'data'))
        await restoreBackup(target, folder, { snapshot, hasNewSecret: true })
        return readFileSync(join(target.dataDir, 'blobs', keyOf(document)))
      }

      for (const passphrase of [undefined, PASSPHRASE])
        test(`copies it again once it is repaired${passphrase === undefined ? '' : ', encrypted'}`, async () => {
          const folder = join(newFolder(), 'repaired')
          const made: string[] = []
          const back = async () => {
            const created = await createBackup(installation, folder, { passphrase })
            made.push(created.snapshot)
            return created
          }
          await whileIt(flipped, async () => {
            assert.deepEqual((await back()).damaged, [keyOf(document)])
            const again = await back()
            assert.deepEqual([again.damaged, again.copied.count], [[keyOf(document)], 0])
          })
          const repaired = await back()

          assert.deepEqual([repaired.damaged, repaired.manifest.blobs.damaged, repaired.copied.count], [[], 0, 1])
          assert.deepEqual(await problems(installation, folder, passphrase), [])
          if (passphrase !== undefined) return
          assert.deepEqual(await restoredDocument(folder), bytes)
          assert.deepEqual(await restoredDocument(folder, made[0]), flipped)
          await createBackup(installation, folder, { keep: 3 })
          assert.deepEqual(await problems(installation, folder), [])
          assert.deepEqual((await createBackup(installation, folder, { keep: 1 })).pruned?.files, 1)
        })

      test('says what is gone, and keeps the good copy', async () => {
        const folder = join(newFolder(), 'kept')
        await createBackup(installation, folder, {})
        await whileIt('missing', async () => {
          const { missing, manifest } = await createBackup(installation, folder, { keep: 1 })
          assert.deepEqual([missing, manifest.blobs.missing], [[keyOf(document)], 0])
        })
        assert.deepEqual(await restoredDocument(folder), bytes)
      })

      test('says what has another size at once, and what has not within four weeks', async () => {
        const folder = join(newFolder(), 'compared')
        await createBackup(installation, folder, {})
        await whileIt(Buffer.concat([bytes, bytes]), async () => {
          assert.deepEqual((await createBackup(installation, folder, {})).damaged, [keyOf(document)])
        })
        await whileIt(flipped, async () => {
          assert.deepEqual((await createBackup(installation, folder, {})).damaged, [])
          assert.deepEqual((await createBackup(daysLater(13), folder, {})).damaged, [])
          assert.deepEqual((await createBackup(daysLater(29), folder, { keep: 1 })).damaged, [keyOf(document)])
        })
        assert.deepEqual(await restoredDocument(folder), bytes)
      })

      test('says what was written to, though it has its size', async () => {
        const folder = join(newFolder(), 'written')
        await createBackup(installation, folder, {})
        await whileIt(flipped, async () => {
          utimesSync(document, new Date(), new Date())
          assert.deepEqual((await createBackup(installation, folder, {})).damaged, [keyOf(document)])
        })
      })

      test('replaces a copy that has rotted in the folder', async () => {
        const folder = join(newFolder(), 'rotten')
        await createBackup(installation, folder, {})
        const copy = find(join(folder, 'blobs'), /./).find((file) => readFileSync(file).equals(bytes))!
        writeFileSync(copy, flipped)

        assert.equal((await createBackup(daysLater(29), folder, {})).copied.count, 1)
        assert.deepEqual(await problems(installation, folder), [])
      })
    })

    test('knows its newest snapshot though the clock was set back', async () => {
      const folder = join(newFolder(), 'clock')
      const at = (ms: number): Installation => ({ ...installation, now: () => ms })
      const nowMs = Date.now()
      const first = await createBackup(at(nowMs), folder, { includesSecret: true })
      const second = await createBackup(at(nowMs - 86_400_000), folder, { includesSecret: true })
      const third = await createBackup(at(nowMs - 172_800_000), folder, { includesSecret: true, keep: 2 })

      assert.equal(third.manifest.started_at, new Date(nowMs - 172_800_000).toISOString())
      assert.deepEqual(third.pruned?.snapshots, [first.snapshot])
      const target = installationAt(join(newFolder(), 'data'))
      assert.equal((await restoreBackup(target, folder, {})).snapshot, third.snapshot)
      assert.deepEqual(
        (await listBackups(folder, undefined)).map(({ name }) => name),
        [second.snapshot, third.snapshot],
      )
    })

    test('is called whole only where that is known', async () => {
      const folder = newFolder()
      cpSync(plain, folder, { recursive: true })
      const states = async (path: string, passphrase?: string) =>
        (await listBackups(path, passphrase)).map(({ isWhole }) => isWhole)
      assert.deepEqual(await states(folder), [true])
      assert.deepEqual(await states(sealed), [null])
      assert.deepEqual(await states(sealed, PASSPHRASE), [true])
      const [database] = find(folder, /tracks\.sqlite$/)
      writeFileSync(database, readFileSync(database).subarray(0, -1))

      assert.deepEqual(await states(folder), [false])
      const [{ isWhole, problems }] = await verifyBackup(installation, folder, {})
      assert.deepEqual([isWhole, problems.length], [false, 1])
    })

    test('is written by one command at a time, which ends its lock when it is killed', async () => {
      using _held = holdLock((await BackupFolder.open(plain, undefined)).lockPath)

      await assert.rejects(createBackup(installation, plain, {}), /Another command is writing/)
    })

    test('is not made of a folder with something else in it', async () => {
      const folder = newFolder()
      writeFileSync(join(folder, 'letter.txt'), 'Dear')

      await assert.rejects(
        createBackup(installation, folder, {}),
        /is not empty and is no folder of backups: it has letter\.txt/,
      )
      await assert.rejects(restoreBackup(installation, folder, {}), /backup\.json is missing/)
    })

    test('keeps its earlier snapshot when a later run is killed, and is continued by the next', async () => {
      const folder = join(newFolder(), 'killed')
      cpSync(plain, folder, { recursive: true })
      const [whole] = readdirSync(join(folder, 'snapshots'))
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
      const killed = spawn(process.execPath, [ADMIN, 'backup', 'create', folder], { env, stdio: 'ignore' })
      while (readdirSync(join(folder, 'snapshots')).length < 2 && killed.exitCode === null) await wait(1)
      killed.kill('SIGKILL')
      await once(killed, 'exit')

      const [before] = await verifyBackup(installation, folder, {})
      const next = await createBackup(installation, folder, {})

      assert.deepEqual([before.snapshot, before.problems], [whole, []])
      assert.deepEqual(await problems(installation, folder), [])
      assert.ok(readdirSync(join(folder, 'snapshots')).includes(next.snapshot))
      assert.deepEqual(filesIn(join(folder, 'drafts')), [])
    })

    describe('that was damaged', () => {
      const flip = (file: string) => {
        const bytes = readFileSync(file)
        bytes[bytes.length >> 1] ^= 1
        writeFileSync(file, bytes)
      }
      const cut = (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -1))
      const swap = (a: string, b: string) => {
        renameSync(a, `${a}.other`)
        renameSync(b, a)
        renameSync(`${a}.other`, b)
      }
      // biome-ignore lint/suspicious/noExplicitAny: the content is changed to what it may not be.
      type Content = Record<string, any>
      /** Changes the manifest as somebody would who knows how it is written. */
      const forge = (folder: string, change: (content: Content) => void) => {
        const [file] = find(folder, /manifest\.json$/)
        const { content } = JSON.parse(readFileSync(file, 'utf8')) as { content: Content }
        change(content)
        writeFileSync(file, JSON.stringify({ content, sha256: hash('sha256', JSON.stringify(content)) }))
      }
      /** Changes the inventory, and the manifest so that it is the right one. */
      const forgeInventory = (folder: string, statement: string) => {
        const [file] = find(folder, /inventory\.sqlite\.zst$/)
        const unpacked = join(newFolder(), 'inventory.sqlite')
        writeFileSync(unpacked, zstdDecompressSync(readFileSync(file)))
        const database = new DatabaseSync(unpacked)
        database.exec(statement)
        database.close()
        const bytes = zstdCompressSync(readFileSync(unpacked))
        writeFileSync(file, bytes)
        forge(folder, (content) =>
          Object.assign(content.inventory, { size: bytes.length, sha256: hash('sha256', bytes) }),
        )
      }

      const BLOB = /\/blobs\//
      const DATABASE = /tracks\.sqlite$|database-0$/
      /** Encrypted folders are tested where they differ: each opening takes a third of a second. */
      const anywhere: [string, (folder: string) => void, RegExp, 'both'?][] = [
        ['a bit of a stored file', (folder) => flip(find(folder, BLOB)[0]), /blobs\/.* is damaged/],
        ['the end of a stored file', (folder) => cut(find(folder, BLOB)[0]), /blobs\/.* is damaged/],
        ['a stored file', (folder) => rmSync(find(folder, BLOB)[0]), /blobs\/.* is missing/],
        [
          'two stored files, swapped,',
          (folder) => swap(find(folder, BLOB)[0], find(folder, BLOB)[1]),
          /is damaged/,
          'both',
        ],
        ['a bit of a database', (folder) => flip(find(folder, DATABASE)[0]), /(tracks\.sqlite|database-0) is damaged/],
        ['the end of a database', (folder) => cut(find(folder, DATABASE)[0]), /(tracks\.sqlite|database-0) is damaged/],
        ['a database', (folder) => rmSync(find(folder, DATABASE)[0]), /(tracks\.sqlite|database-0) is missing/],
        ['the secret', (folder) => flip(find(folder, /\/secret$/)[0]), /secret is damaged/],
        ['the inventory', (folder) => flip(find(folder, /inventory/)[0]), /inventory.* is damaged/],
        ['a bit of the manifest', (folder) => flip(find(folder, /manifest/)[0]), /manifest\.json is damaged/, 'both'],
        [
          'the end of the manifest',
          (folder) => writeFileSync(find(folder, /manifest/)[0], ''),
          /manifest\.json is damaged/,
        ],
      ]
      for (const [name, damage, says, kinds] of anywhere)
        for (const [kind, original, passphrase] of [
          ['', plain, undefined],
          [' of an encrypted one', sealed, PASSPHRASE],
        ].slice(0, kinds === 'both' ? 2 : 1) as [string, string, string | undefined][])
          test(`in ${name}${kind} is reported, and not restored`, async () => {
            const folder = newFolder()
            cpSync(original, folder, { recursive: true })
            damage(folder)

            assert.match((await problems(installation, folder, passphrase)).join('\n'), says)
            const target = installationAt(join(newFolder(), 'data'))
            await assert.rejects(restoreBackup(target, folder, { passphrase }), says)
            assert.equal(existsSync(join(target.dataDir, 'tracks.sqlite')), false)
          })

      /** Changes the schema of a database, and the manifest so that it is the right one. */
      const forgeSchema = (folder: string, statement: string) => {
        const [file] = find(folder, /tracks\.sqlite$/)
        const database = new DatabaseSync(file)
        database.exec(statement)
        database.close()
        const bytes = readFileSync(file)
        forge(folder, ({ databases }) =>
          Object.assign(databases[0].files[0], { size: bytes.length, sha256: hash('sha256', bytes) }),
        )
      }

      const forgeries: [string, (folder: string) => void, RegExp][] = [
        [
          'a file outside of the snapshot',
          (folder) => forge(folder, (content) => (content.databases[0].files[0].file = '../../../secret')),
          /not a manifest of this program: \/databases\/0\/files\/0/,
        ],
        [
          'a database with the name of a path',
          (folder) => forge(folder, (content) => (content.databases[0].name = '../evil')),
          /not a manifest of this program/,
        ],
        [
          'a database that nobody knows',
          (folder) => forge(folder, (content) => (content.databases[0].name = 'evil')),
          /a database evil, which this program does not know/,
        ],
        [
          'more rows than there are',
          (folder) => forge(folder, (content) => content.databases[0].tables[0].rows++),
          /is damaged: tracks\.\w+ has \d+ rows in place of/,
        ],
        [
          'migrations of a newer program',
          (folder) => forge(folder, (content) => content.databases[0].migrations.push('9999-later')),
          /is at version 9999-later, and this program knows versions up to/,
        ],
        [
          'a stored file with the path of another folder',
          (folder) =>
            forgeInventory(folder, "update blobs set path = '../evil', state = 'stored' where key like 'documents/%'"),
          /is no file of a folder that is kept/,
        ],
        [
          'a stored file with a key that leads elsewhere',
          (folder) => forgeInventory(folder, "update blobs set key = '../' || key"),
          /has an entry "\.\.\/.*" that cannot be/,
        ],
        [
          'a stored file without a hash',
          (folder) => forgeInventory(folder, 'update blobs set sha256 = null'),
          /that cannot be/,
        ],
        [
          'an inventory that is none',
          (folder) => forgeInventory(folder, 'drop table blobs'),
          /inventory\.sqlite\.zst is damaged: no such table/,
        ],
        [
          'a trigger of somebody else',
          (folder) =>
            forgeSchema(folder, 'create trigger evil after insert on tracks begin delete from app_tokens; end'),
          /tracks\.sqlite is damaged: tracks has the trigger evil, which this program has not made/,
        ],
        [
          'a view of somebody else',
          (folder) => forgeSchema(folder, 'create view evil as select * from app_tokens'),
          /tracks has the view evil, which this program has not made/,
        ],
        [
          'an index that is another one',
          (folder) =>
            forgeSchema(folder, 'drop index shares_by_event; create index shares_by_event on shares (abs(event_id))'),
          /tracks has another index shares_by_event than this program makes/,
        ],
        [
          'an index less',
          (folder) => forgeSchema(folder, 'drop index shares_by_event'),
          /tracks lacks the index shares_by_event/,
        ],
        [
          'a layout of later',
          (folder) =>
            writeFileSync(
              join(folder, 'backup.json'),
              readFileSync(join(folder, 'backup.json'), 'utf8').replace(':1,', ':2,'),
            ),
          /has the layout 2, which only a newer program can read/,
        ],
      ]
      for (const [name, change, says] of forgeries)
        test(`to have ${name} is refused`, async () => {
          const folder = newFolder()
          cpSync(plain, folder, { recursive: true })
          change(folder)
          const target = installationAt(join(newFolder(), 'data'))

          await assert.rejects(restoreBackup(target, folder, {}), says)
          assert.equal(existsSync(join(target.dataDir, 'tracks.sqlite')), false)
          assert.deepEqual(
            filesIn(join(target.dataDir, '..')).filter((file) => /evil/.test(file)),
            [],
          )
        })

      test('by the loss of its manifest is no snapshot', async () => {
        const folder = newFolder()
        cpSync(plain, folder, { recursive: true })
        const [snapshot] = readdirSync(join(folder, 'snapshots'))
        rmSync(find(folder, /manifest/)[0])

        await assert.rejects(restoreBackup(installation, folder, {}), /has no whole snapshot/)
        await assert.rejects(restoreBackup(installation, folder, { snapshot }), /is not whole: .* is missing/)
        await assert.rejects(restoreBackup(installation, folder, { snapshot: '../plain' }), /has no snapshot/)
      })
    })

    test('without its secret is restored only with the secret at hand, or knowingly without', async () => {
      const folder = join(newFolder(), 'without')
      await createBackup(installation, folder, {})
      const target = () => installationAt(join(newFolder(), 'data'))
      const other: Installation = { ...target(), secrets: () => ['x'.repeat(40)], hasSecretSetting: true }

      await assert.rejects(restoreBackup(target(), folder, {}), /The backup has no secret/)
      await assert.rejects(restoreBackup(other, folder, {}), /SECRET_KEY is not the secret of this backup/)
      const known = await restoreBackup({ ...target(), secrets: installation.secrets }, folder, {})
      const unknown = await restoreBackup(target(), folder, { hasNewSecret: true })

      assert.deepEqual([known.isSecretRestored, unknown.isSecretRestored], [false, false])
    })
  })

if (embedded !== undefined && server !== undefined)
  test('a move to PostgreSQL and back changes no row', async (t) => {
    const { dataDir } = embedded.server.publications!.deps
    // Characters that the format of the copy gives a meaning, and the ends of what numbers can be.
    const database = new DatabaseSync(join(dataDir, 'tracks.sqlite'))
    database
      .prepare('update events set note = ?, max_points = ?, created_at = ?')
      .run('\\N\t\\.\r\n\u0001"\'\u{1f6b2}', 9_007_199_254_740_993n, -1)
    database.close()
    const { url } = await server.open(t)
    const moved = installationAt(join(newFolder(), 'data'), url)
    const back = installationAt(join(newFolder(), 'data'))

    const folders = [newFolder(), newFolder()].map((folder) => join(folder, 'backup'))

    const { snapshot } = await createBackup(installationAt(dataDir), folders[0], { includesSecret: true })
    await restoreBackup(moved, folders[0], {})
    await createBackup(moved, folders[1], { includesSecret: true })
    await restoreBackup(back, folders[1], {})

    for (const file of ['tracks.sqlite', 'publications.sqlite', 'operator.sqlite'])
      assert.deepEqual(allRows(join(back.dataDir, file)), allRows(join(folders[0], 'snapshots', snapshot, file)))
  })

/** Reads all rows of a SQLite file, but for what a restore ends and the record of migrations. */
function allRows(file: string): Record<string, unknown> {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all()
  const names = tables.map(({ name }) => String(name))
  const rows = names
    .filter((name) => !['migrations', 'sessions', 'sign_in_links'].includes(name))
    .map((name) => {
      const statement = database.prepare(`select * from ${name}`)
      statement.setReadBigInts(true)
      return [
        name,
        statement
          .all()
          .map((row) => JSON.stringify(Object.entries(row), asText))
          .sort(),
      ]
    })
  database.close()
  return Object.fromEntries(rows)
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

describeOn(databases, 'a restore', async (database) => {
  const service = sources.get(database.name)!
  const { dataDir, databaseUrl } = service.server.publications!.deps
  const source = installationAt(dataDir, databaseUrl)
  const folder = join(newFolder(), 'backup')
  const made = await createBackup(source, folder, { includesSecret: true })

  async function newTarget(): Promise<Installation> {
    const { url, dataDir } = await database.open({ after })
    return installationAt(dataDir || newFolder(), url)
  }

  test('into an installation with data is refused, and names it', async () => {
    await assert.rejects(restoreBackup(source, folder, {}), (error: Error) => {
      assert.match(error.message, /into an empty installation only/)
      for (const name of ['tracks', 'publications', 'operator']) assert.match(error.message, new RegExp(name))
      return /stored files such as/.test(error.message)
    })
    requireFinishedRestore(source.dataDir)
  })

  for (const [when, line] of [
    ['before the first file', /^Restoring \d+ files/],
    ['between files and databases', /^Restoring the databases/],
  ] as const)
    test(`that was broken off ${when} keeps the server from starting, and is continued`, async () => {
      const target = await newTarget()
      const broken: Installation = {
        ...target,
        say: (said) => {
          if (line.test(said)) throw new Error('killed')
        },
      }

      await assert.rejects(restoreBackup(broken, folder, {}), /killed/)
      assert.throws(() => requireFinishedRestore(target.dataDir), /was broken off/)
      await restoreBackup(target, folder, {})

      requireFinishedRestore(target.dataDir)
      await assertSame(target)
    })

  test('that was broken off after the databases is recognised as done', async () => {
    const target = await newTarget()
    const marker = join(target.dataDir, 'restoring')
    const copy = newFolder()
    const copying: Installation = {
      ...target,
      say: (said) => {
        if (said === 'Restoring the databases') cpSync(marker, copy, { recursive: true })
      },
    }
    await restoreBackup(copying, folder, {})
    cpSync(copy, marker, { recursive: true })

    assert.throws(() => requireFinishedRestore(target.dataDir), /was broken off/)
    await restoreBackup(target, folder, {})

    await assertSame(target)
  })

  /** Backs the restored installation up, too, and compares the rows and files of both backups. */
  async function assertSame(target: Installation): Promise<void> {
    const { manifest } = await createBackup(target, join(newFolder(), 'again'), {})
    const { manifest: expected } = made
    assert.deepEqual(manifest.blobs, expected.blobs)
    assert.deepEqual(manifest.databases.map(tablesOf), expected.databases.map(tablesOf))
  }

  /** Names the tables with their rows, but for those that a restore ends. */
  function tablesOf({ name, tables }: Manifest['databases'][number]) {
    return { name, tables: tables.filter((table) => !['sessions', 'sign_in_links'].includes(table.name)) }
  }
})
