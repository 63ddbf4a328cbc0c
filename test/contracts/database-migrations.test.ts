import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type Migration, migrate } from '#platform/database/migrate.ts'
import { connectDatabase } from '#platform/database/open-database.ts'
import { databases } from '../support/databases.ts'

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
