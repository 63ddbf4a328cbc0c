import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type Migration, migrate } from '#platform/database/migrate.ts'
import { connectDatabase } from '#platform/database/open-database.ts'
import { migrationsUntil } from '#platform/database/snapshot.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'

type Tables = { steps: { step: string } }

const run = promisify(execFile)

const first: Migration = {
  async up(db) {
    await db.schema.createTable('steps').addColumn('step', 'text').execute()
    await sql`insert into steps values ('first')`.execute(db)
  },
}

const second: Migration = {
  async up(db) {
    await sql`insert into steps values ('second')`.execute(db)
  },
}

const broken: Migration = {
  async up(db) {
    await sql`insert into steps values ('broken')`.execute(db)
    throw new Error('half way')
  },
}

const FORMER = { '0001-first': first, '0002-second': second }
/** Both as one, for databases without a table; another has had it. */
const both: Migration = {
  async up(db) {
    await first.up(db)
    await second.up(db)
  },
  replaces: { names: Object.keys(FORMER), lastVersion: 'Trackpress 0.0.9' },
}
const third: Migration = { up: async (db) => void (await sql`insert into steps values ('third')`.execute(db)) }
const PRESENT = { '0001-both': both, '0002-third': third }

for (const engine of databases) {
  describe(`migrate on ${engine.name}`, () => {
    test('runs each migration once, in the order of their names', async (t) => {
      const database = await engine.connect<Tables>(t)

      await migrate(database, { '0001-first': first })
      await migrate(database, { '0002-second': second, '0001-first': first })
      await migrate(database, { '0002-second': second, '0001-first': first })

      assert.deepEqual(await database.db.selectFrom('steps').selectAll().execute(), [
        { step: 'first' },
        { step: 'second' },
      ])
    })

    test('concurrent runs on an empty database all succeed, and run each migration once', async (t) => {
      const address = await engine.open(t)
      const start = async () => {
        const database = await connectDatabase<Tables>({ ...address, name: 'test' })
        await migrate(database, { '0001-first': first, '0002-second': second })
        return database
      }

      const started = await Promise.all([start(), start(), start(), start()])

      const rows = await started[3].db.selectFrom('steps').selectAll().execute()
      await Promise.all(started.map((database) => database.close()))
      assert.deepEqual(rows, [{ step: 'first' }, { step: 'second' }])
    })

    test('a failing migration leaves the database as it was before the first', async (t) => {
      const database = await engine.connect<Tables>(t)
      await migrate(database, { '0001-first': first })

      const failing = migrate(database, { '0001-first': first, '0002-second': second, '0003-broken': broken })

      await assert.rejects(failing, { message: 'half way' })
      assert.deepEqual(await database.db.selectFrom('steps').selectAll().execute(), [{ step: 'first' }])
    })

    test('refuses a database of a newer version, naming both versions', async (t) => {
      const database = await engine.connect<Tables>(t)
      await migrate(database, { '0001-first': first, '0002-second': second })

      const older = migrate(database, { '0001-first': first })

      await assert.rejects(older, (error: Error) => {
        assert.match(error.message, /0002-second/)
        assert.match(error.message, /0001-first/)
        return true
      })
    })

    test('refuses a migration inserted before one that has run', async (t) => {
      const database = await engine.connect<Tables>(t)
      await migrate(database, { '0001-first': first, '0003-second': second })

      const slipped = migrate(database, { '0001-first': first, '0002-broken': broken, '0003-second': second })

      await assert.rejects(slipped, { message: /lacks a migration that precedes 0003-second/ })
    })

    test('takes a migration for run where all that it replaces have run, and an older program is refused', async (t) => {
      const { settle, names, database } = await withSteps(FORMER)(engine, t)

      assert.deepEqual(await settle({ '0001-both': both }), ['first', 'second'])
      assert.deepEqual(await names(), ['0001-both'])
      assert.deepEqual(await settle(PRESENT), ['first', 'second', 'third'])
      assert.deepEqual(await names(), ['0001-both', '0002-third'])
      await assert.rejects(migrate(database, FORMER), /upgraded by a newer version of the program to 0002-third/)
    })

    test('refuses a database with some of the replaced migrations, and changes nothing', async (t) => {
      const { settle, names, read } = await withSteps({ '0001-first': first })(engine, t)

      await assert.rejects(settle(PRESENT), {
        message:
          'The database is at version 0001-first, and this program needs 0002-second. ' +
          'Start Trackpress 0.0.9 once, which brings it there. Nothing has been changed.',
      })
      assert.deepEqual([await read(), await names()], [['first'], ['0001-first']])
    })

    test('refuses a database that has had more than the replaced migrations', async (t) => {
      const { settle, names } = await withSteps({ ...FORMER, '0003-unknown': third })(engine, t)

      await assert.rejects(settle(PRESENT), /to 0003-unknown, and this program knows versions up to 0002-third/)
      assert.deepEqual(await names(), ['0001-first', '0002-second', '0003-unknown'])
    })

    test('keeps two services on one server separate', async (t) => {
      const address = await engine.open(t)
      const tracks = await connectDatabase<Tables>({ ...address, name: 'one' })
      const publications = await connectDatabase<Tables>({ ...address, name: 'two' })

      await migrate(tracks, { '0001-first': first })
      await migrate(publications, { '0001-first': first, '0002-second': second })

      const rows = await tracks.db.selectFrom('steps').selectAll().execute()
      await Promise.all([tracks.close(), publications.close()])
      assert.deepEqual(rows, [{ step: 'first' }])
    })
  })

  describe(`connectDatabase on ${engine.name}`, () => {
    test('data is there after closing and connecting again', async (t) => {
      const address = await engine.open(t)
      const before = await connectDatabase<Tables>({ ...address, name: 'test' })
      await migrate(before, { '0001-first': first })
      await before.close()

      const after = await connectDatabase<Tables>({ ...address, name: 'test' })
      const rows = await after.db.selectFrom('steps').selectAll().execute()
      await after.close()

      assert.deepEqual(rows, [{ step: 'first' }])
    })

    test('can be closed twice', async (t) => {
      const database = await engine.connect(t)

      await Promise.all([database.close(), database.close()])

      await assert.rejects(database.check(), { code: 'UNAVAILABLE' })
    })

    test('a process exits once it has closed its database', async (t) => {
      const address = await engine.open(t)
      const connect = new URL('../../src/platform/database/open-database.ts', import.meta.url).href
      const script = `
        import { connectDatabase } from '${connect}'
        const database = await connectDatabase({ ...${JSON.stringify(address)}, name: 'test' })
        await database.check()
        await database.close()
        console.log('closed')`

      const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', script])

      assert.equal(stdout, 'closed\n')
    })

    test('a process exits even if it does not close its database', async (t) => {
      const address = await engine.open(t)
      const connect = new URL('../../src/platform/database/open-database.ts', import.meta.url).href
      const script = `
        import { connectDatabase } from '${connect}'
        const database = await connectDatabase({ ...${JSON.stringify(address)}, name: 'test' })
        await database.check()
        console.log('done')`

      const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', script])

      assert.equal(stdout, 'done\n')
    })

    test('reports its health and size, and cleans up', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations: { '0001-first': first } })
      const before = await database.sizeBytes()
      const step = 'x'.repeat(1000)
      await database.db
        .insertInto('steps')
        .values(Array.from({ length: 2_000 }, () => ({ step })))
        .execute()

      await database.check()
      const full = await database.sizeBytes()
      await database.db.deleteFrom('steps').execute()
      await database.maintain()

      assert(full - before >= 2_000_000, `${before} ${full}`)
      assert.equal((await database.sizeBytes()) > 0, true)
    })

    test('refuses names that would need quoting', async (t) => {
      const address = await engine.open(t)

      await assert.rejects(connectDatabase({ ...address, name: 'x; drop' }), /is not a valid name/)
    })
  })
}

/** Makes a database that has had these migrations, for others to be run on it. */
function withSteps(migrations: Record<string, Migration>) {
  return async (engine: TestDatabase, owner: Owner) => {
    const database = await engine.connect<Tables>(owner, { migrations })
    const read = async () => (await database.db.selectFrom('steps').select('step').execute()).map(({ step }) => step)
    const settle = async (later: Record<string, Migration>) => {
      await migrate(database, later)
      return await read()
    }
    const names = async () => {
      const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(database.db)
      return rows.map(({ name }) => name)
    }
    return { database, read, settle, names }
  }
}

test('a stored database with all replaced migrations is restored by the present one, and one with some is refused', () => {
  const until = (migrations: string[]) => Object.keys(migrationsUntil(PRESENT, { name: 'test', migrations }))

  assert.deepEqual(until(Object.keys(FORMER)), ['0001-both'])
  assert.deepEqual(until([...Object.keys(FORMER), '0002-third']), ['0001-both', '0002-third'])
  assert.throws(() => until(['0001-first']), /Start Trackpress 0\.0\.9 once/)
  assert.throws(() => until([...Object.keys(FORMER), '0003-unknown']), /a newer one/)
})

test('SQLite restricts its file and folder to their owner, and leaves one file when closed', async (t) => {
  const sqlite = databases.find((engine) => engine.name === 'SQLite')
  if (sqlite === undefined) return t.skip('TEST_DATABASES leaves SQLite out')
  const { dataDir } = await sqlite.open(t)
  const folder = join(dataDir, 'deep', 'data')
  const database = await connectDatabase({ url: '', dataDir: folder, name: 'test' })
  await migrate(database, { '0001-first': first })

  const mode = async (path: string) => (await stat(path)).mode & 0o777
  const modes = [
    await mode(folder),
    await mode(join(folder, 'test.sqlite')),
    await mode(join(folder, 'test.sqlite-wal')),
  ]
  await database.close()

  assert.deepEqual(modes, [0o700, 0o600, 0o600])
  assert.deepEqual(await readdir(folder), ['test.sqlite'])
})

test('SQLite returns the space of deleted rows to the disk', async (t) => {
  const sqlite = databases.find((engine) => engine.name === 'SQLite')
  if (sqlite === undefined) return t.skip('TEST_DATABASES leaves SQLite out')
  const database = await sqlite.connect<Tables>(t, { migrations: { '0001-first': first } })
  const rows = Array.from({ length: 2_000 }, () => ({ step: 'x'.repeat(1000) }))
  await database.db.insertInto('steps').values(rows).execute()
  const { rows: full } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db)

  await database.db.deleteFrom('steps').execute()
  await database.maintain()

  const { rows: empty } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db)
  assert(empty[0].page_count < full[0].page_count / 10)
})

test('SQLite plans queries by the indices alone, whatever statistics an earlier release has left', async (t) => {
  const sqlite = databases.find((engine) => engine.name === 'SQLite')
  if (sqlite === undefined) return t.skip('TEST_DATABASES leaves SQLite out')
  const address = await sqlite.open(t)
  const earlier = await connectDatabase<Tables>({ ...address, name: 'test' })
  await migrate(earlier, { '0001-first': first })
  await sql`create index steps_by_name on steps (step)`.execute(earlier.db)
  await sql`analyze`.execute(earlier.db)
  await earlier.close()

  const database = await connectDatabase<Tables>({ ...address, name: 'test' })
  t.after(() => database.close())
  const { rows } = await sql<{ detail: string }>`
    explain query plan select a.step from steps a inner join steps b on b.step = a.step`.execute(database.db)
  await database.maintain()

  const statistics = sql<{ name: string }>`select name from sqlite_master where name like 'sqlite_stat%'`
  assert.deepEqual((await statistics.execute(database.db)).rows, [])
  assert.match(rows[1].detail, /^SEARCH b USING COVERING INDEX steps_by_name/)
})
