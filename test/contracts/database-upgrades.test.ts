import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { Client } from 'pg'
import { type Migration, migrate } from '#platform/database/migrate.ts'
import { connectDatabase, openDatabase } from '#platform/database/open-database.ts'
import { copyBeforeUpgrade } from '#platform/database/upgrade-copies.ts'
import { type DatabaseAddress, databases } from '../support/databases.ts'

type Tables = { steps: { step: string } }

const HOLD_MIGRATION = fileURLToPath(new URL('hold-migration.ts', import.meta.url))

const first: Migration = {
  async up(db) {
    await sql`create table steps (step text)`.execute(db)
    await sql`insert into steps values ('first')`.execute(db)
  },
}
const second: Migration = { up: async (db) => void (await sql`insert into steps values ('second')`.execute(db)) }
const third: Migration = { up: async (db) => void (await sql`insert into steps values ('third')`.execute(db)) }
const fourth: Migration = { up: async () => {} }
const ALL = { '0001-first': first, '0002-second': second, '0003-third': third, '0004-fourth': fourth }

const steps = (count: number) => Object.fromEntries(Object.entries(ALL).slice(0, count))

function settingsOf({ url, dataDir }: DatabaseAddress) {
  const logged: object[] = []
  const logger = { info: (details: object) => void logged.push(details), warn: () => {} }
  return { logged, settings: { databaseUrl: url, dataDir, databaseConnections: 2, logger } }
}

/** Starts the program of a version, which knows so many migrations, and stops it. */
async function runVersion(settings: Parameters<typeof openDatabase>[0], version: string, count: number, name = 'test') {
  const database = await openDatabase<Tables>({ ...settings, programVersion: version }, name, steps(count))
  const rows = await database.db.selectFrom('steps').select('step').execute()
  await database.close()
  return rows.map(({ step }) => step)
}

for (const engine of databases) {
  describe(`an upgrade on ${engine.name}`, () => {
    test('is refused to a program that is older than the database, in words that name both versions', async (t) => {
      const { settings } = settingsOf(await engine.open(t))
      await runVersion(settings, '0.1.0', 1)
      await runVersion(settings, '0.2.0', 2)

      await assert.rejects(runVersion(settings, '0.1.0', 1), ({ message }: Error) => {
        assert.match(message, /upgraded by Trackpress 0\.2\.0 to 0002-second/)
        assert.match(message, /version 0\.1\.0, knows versions up to 0001-first/)
        assert.match(message, /Start Trackpress 0\.2\.0 or newer/)
        assert.match(
          message,
          engine.name === 'SQLite' ? /restore the copy made before the upgrade: .*\.sqlite$/ : /restore a backup/,
        )
        return true
      })
    })

    test('takes a database without a record of its version, such as a restored one', async (t) => {
      const { settings } = settingsOf(await engine.open(t))
      await runVersion(settings, '0.1.0', 1)
      const old = await connectDatabase({ url: settings.databaseUrl, dataDir: settings.dataDir, name: 'test' })
      await sql`update migrations set program_version = null`.execute(old.db)
      await old.close()

      assert.deepEqual(await runVersion(settings, '0.2.0', 2), ['first', 'second'])
      await assert.rejects(runVersion(settings, '0.1.0', 1), /upgraded by Trackpress 0\.2\.0/)
    })

    test('that is killed in the middle of a migration leaves everything as it was, and can be repeated', async (t) => {
      const address = await engine.open(t)
      const { settings } = settingsOf(address)
      await runVersion(settings, '0.1.0', 1)
      const child = spawn(process.execPath, [HOLD_MIGRATION, JSON.stringify(address)], { stdio: ['ignore', 'pipe', 2] })
      await once(child.stdout!, 'data')

      child.kill('SIGKILL')
      await once(child, 'exit')

      assert.deepEqual(await runVersion(settings, '0.1.0', 1), ['first'])
      assert.deepEqual(await runVersion(settings, '0.2.0', 3), ['first', 'second', 'third'])
    })
  })
}

const sqlite = databases.find(({ name }) => name === 'SQLite')

describe('the copy before an upgrade', { skip: sqlite === undefined && 'TEST_DATABASES leaves SQLite out' }, () => {
  const foldersOf = (dataDir: string) => readdirSync(join(dataDir, 'before-upgrade')).sort()

  test('has the state before, is private to its owner, and is made only if there is something to change', async (t) => {
    const { settings, logged } = settingsOf(await sqlite!.open(t))
    await runVersion(settings, '0.1.0', 1)
    await runVersion(settings, '0.1.0', 1)
    assert.equal(readdirSync(settings.dataDir).includes('before-upgrade'), false)

    await runVersion(settings, '0.2.0', 2)

    const [folder, ...others] = foldersOf(settings.dataDir)
    assert.match(folder, /^\d{8}T\d{6}Z-0\.1\.0$/)
    assert.deepEqual(others, [])
    const files = readdirSync(join(settings.dataDir, 'before-upgrade', folder))
    assert.deepEqual(files, ['test.sqlite'])
    const copy = join(settings.dataDir, 'before-upgrade', folder, 'test.sqlite')
    assert.equal(statSync(copy).mode & 0o777, 0o600)
    assert.deepEqual(logged, [{ database: 'test', copy }])
    const database = new DatabaseSync(copy, { readOnly: true })
    assert.deepEqual({ ...database.prepare('select step from steps').get() }, { step: 'first' })
    assert.deepEqual(database.prepare('select name from migrations').all().length, 1)
    database.close()
  })

  test('is made before the record of former migrations is replaced', async (t) => {
    const { settings } = settingsOf(await sqlite!.open(t))
    await runVersion(settings, '0.1.0', 2)
    const replaces = { names: Object.keys(steps(2)), lastVersion: 'Trackpress 0.1.0' }

    await (await openDatabase(settings, 'test', { '0001-both': { ...first, replaces } })).close()

    const [folder] = foldersOf(settings.dataDir)
    const restored = { ...settings, dataDir: join(settings.dataDir, 'before-upgrade', folder) }
    assert.deepEqual(await runVersion(restored, '0.1.0', 2), ['first', 'second'])
  })

  test('brings the older version back when it is put in place', async (t) => {
    const { settings } = settingsOf(await sqlite!.open(t))
    await runVersion(settings, '0.1.0', 1)
    await runVersion(settings, '0.2.0', 2)
    const [folder] = foldersOf(settings.dataDir)

    const restored = { ...settings, dataDir: join(settings.dataDir, 'before-upgrade', folder) }

    assert.deepEqual(await runVersion(restored, '0.1.0', 1), ['first'])
  })

  test('shares a folder with those of the other databases, and the last two upgrades are kept', async (t) => {
    const { settings } = settingsOf(await sqlite!.open(t))
    for (const name of ['one', 'two']) await runVersion(settings, '0.1.0', 1, name)
    for (const [version, count] of [
      ['0.2.0', 2],
      ['0.3.0', 3],
      ['0.4.0', 4],
    ] as const)
      for (const name of ['one', 'two']) await runVersion(settings, version, count, name)

    const folders = foldersOf(settings.dataDir)

    assert.deepEqual(folders.map((folder) => folder.split('Z-')[1]).sort(), ['0.2.0', '0.3.0'])
    for (const folder of folders)
      assert.deepEqual(readdirSync(join(settings.dataDir, 'before-upgrade', folder)), ['one.sqlite', 'two.sqlite'])
  })

  test('is left out with COPY_BEFORE_UPGRADE=off', async (t) => {
    const { settings } = settingsOf(await sqlite!.open(t))
    await runVersion(settings, '0.1.0', 1)

    await runVersion({ ...settings, copyBeforeUpgrade: false } as typeof settings, '0.2.0', 2)

    assert.equal(readdirSync(settings.dataDir).includes('before-upgrade'), false)
  })

  test('that cannot be written stops the upgrade, and nothing has changed', async (t) => {
    const { settings } = settingsOf(await sqlite!.open(t))
    await runVersion(settings, '0.1.0', 1)
    writeFileSync(join(settings.dataDir, 'before-upgrade'), 'a file where the folder belongs')

    await assert.rejects(runVersion(settings, '0.2.0', 2), /before-upgrade/)

    rmSync(join(settings.dataDir, 'before-upgrade'))
    assert.deepEqual(await runVersion(settings, '0.1.0', 1), ['first'])
  })

  test('is refused with the room that is missing, before anything is written', async (t) => {
    const { dataDir } = await sqlite!.open(t)
    const file = join(dataDir, 'huge.sqlite')
    writeFileSync(file, '')
    // Nothing is stored for a size that was only claimed.
    truncateSync(file, 8e12)
    const copyTo = () => assert.fail('copied')
    const logger = { info: () => {} }

    const refused = copyBeforeUpgrade({ name: 'huge', file, copyTo, dataDir, fromVersion: '0.1.0', nowMs: 0, logger })

    await assert.rejects(
      refused,
      /needs 8 TB free; it has [\d.]+ .B\. .*COPY_BEFORE_UPGRADE=off.*Nothing has been changed/,
    )
    assert.deepEqual(readdirSync(dataDir), ['huge.sqlite'])
  })

  test('is that of a moment while another connection writes', async (t) => {
    const { settings } = settingsOf(await sqlite!.open(t))
    const database = await openDatabase<Tables>(settings, 'test', steps(1))
    t.after(() => database.close())
    const many = Array.from({ length: 500 }, () => ({ step: 'x'.repeat(1000) }))
    for (let i = 0; i < 20; i++) await database.db.insertInto('steps').values(many).execute()

    const target = join(settings.dataDir, 'copy.sqlite')
    const [, ...writes] = await Promise.all([
      database.embedded!.copyTo(target),
      ...Array.from({ length: 10 }, () =>
        database.db
          .insertInto('steps')
          .values([{ step: 'a' }, { step: 'b' }])
          .execute(),
      ),
    ])

    assert.equal(writes.length, 10)
    const copy = new DatabaseSync(target, { readOnly: true })
    const count = (step: string) => copy.prepare('select count(*) as n from steps where step = ?').get(step)!.n
    assert.equal(count('a'), count('b'))
    assert.deepEqual({ ...copy.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    copy.close()
  })
})

const postgres = databases.find(({ name }) => name === 'PostgreSQL')

test('a migration waits for a lock without holding up the queries behind it', { timeout: 60_000 }, async (t) => {
  if (postgres === undefined) return t.skip('TEST_DATABASES leaves PostgreSQL out')
  const address = await postgres.open(t)
  const database = await connectDatabase<Tables>({ ...address, name: 'test' })
  await migrate(database, steps(1))
  const other = new Client({ connectionString: address.url, options: '-c search_path=test' })
  other.on('error', () => {})
  await other.connect()
  await other.query('begin')
  await other.query('select * from steps')

  const upgraded = migrate(database, {
    ...steps(1),
    '0002-lock': { up: async (db) => void (await sql`alter table steps add column further text`.execute(db)) },
  })
  await untilWaiting(other)
  const startedMs = performance.now()
  const read = await database.db.selectFrom('steps').select('step').execute()
  const waitedMs = performance.now() - startedMs
  await other.query('commit')
  await upgraded
  await sql`select further from steps`.execute(database.db)
  await Promise.all([other.end(), database.close()])

  assert.deepEqual(read, [{ step: 'first' }])
  // The limit is 2 s. Queries of instances are given up after 6.5 s.
  assert.ok(waitedMs < 5_000, `${waitedMs} ms`)
})

async function untilWaiting(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select from pg_locks where not granted and relation = 'steps'::regclass`)
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
