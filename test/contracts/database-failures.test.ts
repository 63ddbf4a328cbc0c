import assert from 'node:assert/strict'
import { chmod, mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { isDatabaseUnavailable, NotedFailures } from '#platform/database/database-failure.ts'
import type { Migration } from '#platform/database/migrate.ts'
import { connectDatabase } from '#platform/database/open-database.ts'
import { nodeSqliteDialect } from '#platform/database/sqlite-dialect.ts'
import { openSqliteReader } from '#platform/database/sqlite-reader.ts'
import { SqliteWriterThread } from '#platform/database/sqlite-writer-thread.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { databases, type TestDatabase } from '../support/databases.ts'
import { rejection } from '../support/rejection.ts'
import { startTcpProxy, type TcpProxy, throughProxy } from '../support/tcp-proxy.ts'

type Tables = { notes: { id: string; text: string } }

const migrations: Record<string, Migration> = {
  '0001-create-notes': {
    async up(db) {
      await db.schema
        .createTable('notes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

const sqlite = databases.find((engine) => engine.name === 'SQLite')
const postgres = databases.find((engine) => engine.name === 'PostgreSQL')

/** Retries until it works: a pool needs a moment to notice that its connections are gone. */
async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 0; attempts < 100; attempts++) {
    try {
      return await attempt()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return attempt()
}

/** Runs an attempt that must fail, and measures it. */
async function timed(attempt: () => Promise<unknown>): Promise<{ error: unknown; durationMs: number }> {
  const startedAtMs = performance.now()
  const error = await attempt().then(
    () => undefined,
    (thrown) => thrown,
  )
  return { error, durationMs: performance.now() - startedAtMs }
}

describe('A failing PostgreSQL', { skip: postgres === undefined && 'TEST_DATABASES leaves it out' }, () => {
  test('is UNAVAILABLE while unreachable, and works again afterwards', async (t) => {
    const { url } = await (postgres as TestDatabase).open(t)
    const proxy = await startTcpProxy(t, new URL(url))
    const database = await connectDatabase<Tables>({ url: throughProxy(url, proxy), dataDir: '', name: 'test' })
    t.after(() => database.close())

    await proxy.vanish()
    const errors = await Promise.all([
      database.check().catch((thrown) => thrown),
      inTransaction(database.db, (transaction) => sql`select 1`.execute(transaction)).catch((thrown) => thrown),
    ])
    await proxy.comeBack()
    await eventually(() => database.check())

    for (const error of errors) {
      assert.equal(error.code, 'UNAVAILABLE')
      assert.equal(error.status, 503)
      assert.equal(error.options.detail, 'The database cannot be reached.')
      assert.equal(isDatabaseUnavailable(error), true)
    }
  })

  test('a check of writes reports a database that can only be read', async (t) => {
    const database = await (postgres as TestDatabase).connect<Tables>(t, { migrations })
    await database.checkWrite()
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)

    await sql`alter database ${sql.id(rows[0].name)} set default_transaction_read_only = on`.execute(database.db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`
      .execute(database.db)
      .catch(() => {})
    await eventually(() => database.check())

    await assert.rejects(database.checkWrite(), { message: 'The database can only be read at the moment.' })
  })

  test('a transaction fails and leaves nothing if the server closes its connection, and the next one works', async (t) => {
    const database = await (postgres as TestDatabase).connect<Tables>(t, { migrations })
    const { db } = database

    const work = inTransaction(db, async (transaction) => {
      await transaction.insertInto('notes').values({ id: '1', text: 'lost' }).execute()
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      await sql`select pg_terminate_backend(${rows[0].pid})`.execute(db)
      await transaction.insertInto('notes').values({ id: '2', text: 'lost' }).execute()
    })

    await assert.rejects(work, (error) => isDatabaseUnavailable(error))
    await db.insertInto('notes').values({ id: '3', text: 'kept' }).execute()
    assert.deepEqual(await db.selectFrom('notes').select('id').execute(), [{ id: '3' }])
  })

  test('the original error is kept if the connection is lost before the rollback', async (t) => {
    const { db } = await (postgres as TestDatabase).connect<Tables>(t, { migrations })

    const work = inTransaction(db, async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
      await sql`select pg_terminate_backend(${rows[0].pid})`.execute(db)
      throw new RangeError('mine')
    })

    await assert.rejects(work, { name: 'RangeError', message: 'mine' })
  })

  for (const [how, begin, end] of [
    ['freezes', (proxy: TcpProxy) => proxy.freeze(), (proxy: TcpProxy) => proxy.thaw()],
    ['is cut off', (proxy: TcpProxy) => proxy.cut(), (proxy: TcpProxy) => proxy.mend()],
  ] as const) {
    test(`is UNAVAILABLE within seconds when it ${how} without closing its connections, then at once`, async (t) => {
      const { url } = await (postgres as TestDatabase).open(t)
      const proxy = await startTcpProxy(t, new URL(url))
      const database = await connectDatabase<Tables>({ url: throughProxy(url, proxy), dataDir: '', name: 'test' })
      t.after(() => database.close())
      await sql`select 1`.execute(database.db)
      let heard: (string | undefined)[] = []
      database.notices?.subscribe('topic', (payload) => heard.push(payload))

      begin(proxy)
      const first = await timed(() => inTransaction(database.db, (transaction) => sql`select 1`.execute(transaction)))
      const later = await timed(() => sql`select 1`.execute(database.db))
      assert.equal(database.notices?.isLive(), false)
      end(proxy)
      await eventually(() => database.check())
      await eventually(async () => assert.equal(database.notices?.isLive(), true))
      heard = []
      await database.notices?.publish('topic', 'again')
      await eventually(async () => assert.ok(heard.includes('again')))

      for (const { error } of [first, later]) {
        assert.ok(isDatabaseUnavailable(error), String(error))
        assert.equal(error.message, 'The database cannot be reached.')
        assert.equal(error.headers['retry-after'], '2')
      }
      assert.ok(first.durationMs < 10_000, `${first.durationMs} ms`)
      assert.ok(later.durationMs < 1_000, `${later.durationMs} ms`)
    })
  }

  test('a full disk is reported as such', async (t) => {
    const { db } = await (postgres as TestDatabase).connect<Tables>(t, { migrations })

    const error = await sql`do $$ begin raise exception 'no room' using errcode = '53100'; end $$`
      .execute(db)
      .catch((thrown) => thrown)

    assert.equal(error.options.detail, "The database's disk is full.")
    assert.equal(error.cause.code, '53100')
  })

  test('an unreachable address is reported at once', async () => {
    const options = { url: 'postgres://nobody@127.0.0.1:1/none', dataDir: '', name: 'test' }

    await assert.rejects(connectDatabase(options), { code: 'UNAVAILABLE' })
  })
})

describe('A failing SQLite', { skip: sqlite === undefined && 'TEST_DATABASES leaves it out' }, () => {
  test('a full disk is UNAVAILABLE and stores nothing of the transaction, and free space lets it continue', async (t) => {
    const { db } = await (sqlite as TestDatabase).connect<Tables>(t, { migrations })
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    await sql`pragma max_page_count = ${sql.lit(rows[0].page_count + 5)}`.execute(db)
    const fill = (id: string) =>
      inTransaction(db, async (transaction) => {
        await transaction.insertInto('notes').values({ id, text: 'small' }).execute()
        await transaction
          .insertInto('notes')
          .values({ id: `${id}-big`, text: 'x'.repeat(100_000) })
          .execute()
      }).catch((thrown) => thrown)

    const errors = await Promise.all(['a', 'b', 'c'].map(fill))
    const small = await db
      .insertInto('notes')
      .values({ id: 'd', text: 'small' })
      .execute()
      .catch((thrown) => thrown)
    await sql`pragma max_page_count = 1000000`.execute(db)
    await fill('e')

    for (const error of errors) {
      assert.equal(error.code, 'UNAVAILABLE')
      assert.equal(error.options.detail, "The database's disk is full.")
      assert.equal(error.cause.errcode, 13)
      assert.equal(isDatabaseUnavailable(error), true)
    }
    assert(Array.isArray(small))
    const stored = await db.selectFrom('notes').select('id').orderBy('id').execute()
    assert.deepEqual(
      stored.map((row) => row.id),
      ['d', 'e', 'e-big'],
    )
  })

  test('single writes on a full disk are either stored or refused', async (t) => {
    const { db } = await (sqlite as TestDatabase).connect<Tables>(t, { migrations })
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    await sql`pragma max_page_count = ${sql.lit(rows[0].page_count + 20)}`.execute(db)

    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => {
        return db
          .insertInto('notes')
          .values({ id: `${index}`, text: 'x'.repeat(1_000) })
          .execute()
      }),
    )

    const accepted = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`${index}`] : []))
    const stored = await db.selectFrom('notes').select('id').execute()
    assert.deepEqual(stored.map((row) => row.id).sort(), accepted.sort())
    assert(accepted.length < 200)
  })

  test('waits for another process to finish writing', async (t) => {
    const { dataDir } = await (sqlite as TestDatabase).open(t)
    const database = await connectDatabase<Tables>({ url: '', dataDir, name: 'test' })
    t.after(() => database.close())
    await migrations['0001-create-notes'].up(database.db as never)
    const other = new DatabaseSync(join(dataDir, 'test.sqlite'))
    other.exec(`begin immediate; insert into notes values ('theirs', '')`)

    const ours = database.db.insertInto('notes').values({ id: 'ours', text: '' }).execute()
    const before = await database.db.selectFrom('notes').select('id').execute()
    other.exec('commit')
    other.close()
    await ours

    assert.deepEqual(before, [])
    const after = await database.db.selectFrom('notes').select('id').orderBy('id').execute()
    assert.deepEqual(
      after.map((row) => row.id),
      ['ours', 'theirs'],
    )
  })

  test('a file that is not a database is refused when it is opened', async (t) => {
    const { dataDir } = await (sqlite as TestDatabase).open(t)
    await writeFile(join(dataDir, 'test.sqlite'), 'This is a letter to my grandmother. '.repeat(100))

    const opening = connectDatabase({ url: '', dataDir, name: 'test' })

    await assert.rejects(opening, { code: 'UNAVAILABLE', message: "The database's file is damaged." })
  })

  test('pending commands fail when the writer exits, and the next command restarts it', async (t) => {
    const { dataDir } = await (sqlite as TestDatabase).open(t)
    const writer = new SqliteWriterThread(join(dataDir, 'test.sqlite'))
    await writer.start()
    t.after(() => writer.close(() => false))
    await writer.run('alone', 0, 'create table notes (id text)', [])
    const open = await writer.run('statement', 1, `insert into notes values ('uncommitted')`, [])

    const waiting = writer.run('change', 0, `insert into notes values ('waiting')`, []).catch((thrown) => thrown)
    await writer.terminate()
    const error = await waiting
    await writer.run('change', 0, `insert into notes values ('later')`, [])

    assert.equal(open?.changes, 1)
    assert.equal(error.code, 'ERR_WRITER_ENDED')
    const result = await writer.run('alone', 0, 'select id from notes', [])
    assert.deepEqual(result?.rows, [['later']])
  })

  test('a transaction does not continue in a writer that started after it', async (t) => {
    const { dataDir } = await (sqlite as TestDatabase).open(t)
    const file = join(dataDir, 'test.sqlite')
    const writer = new SqliteWriterThread(file)
    await writer.start()
    await writer.run('alone', 0, 'create table notes (id text, text text)', [])
    const reader = openSqliteReader(file)
    t.after(() => writer.close(() => false))
    const failures = new NotedFailures()
    const connections = { reader, writer, failures, openSessions: new Set<number>(), lastSession: 0, isClosing: false }
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(connections) })

    const work = inTransaction(db, async (transaction) => {
      await transaction.insertInto('notes').values({ id: 'first half', text: '' }).execute()
      await writer.terminate()
      const error = await transaction
        .insertInto('notes')
        .values({ id: 'second half', text: '' })
        .execute()
        .catch((thrown) => thrown)
      assert.equal(isDatabaseUnavailable(error), true)
    })

    await assert.rejects(work, { code: 'UNAVAILABLE', message: 'The database was interrupted.' })
    await db.insertInto('notes').values({ id: 'next', text: '' }).execute()
    const stored = await db.selectFrom('notes').select('id').execute()
    reader.close()
    assert.deepEqual(stored, [{ id: 'next' }])
  })

  test('a check of writes reports a page that a query has found damaged, until the end', async (t) => {
    const { dataDir } = await (sqlite as TestDatabase).open(t)
    const first = await connectDatabase<Tables>({ url: '', dataDir, name: 'test' })
    await sql`create table notes (id text primary key, text text)`.execute(first.db)
    await first.db
      .insertInto('notes')
      .values(Array.from({ length: 200 }, (_, i) => ({ id: `note ${i}`, text: 'x'.repeat(500) })))
      .execute()
    await first.close()
    await damagePages(join(dataDir, 'test.sqlite'), 5, 10)
    const database = await connectDatabase<Tables>({ url: '', dataDir, name: 'test' })
    t.after(() => database.close())
    await database.checkWrite()

    await assert.rejects(database.db.selectFrom('notes').selectAll().execute(), { code: 'UNAVAILABLE' })
    const checked = [await rejection(database.checkWrite()), await rejection(database.checkWrite())]

    assert.deepEqual(
      checked.map((error) => (error as Error).message),
      Array(2).fill("The database's file is damaged."),
    )
  })

  test('a read-only folder is reported at once', async (t) => {
    if (process.getuid?.() === 0) return t.skip('root may write everywhere')
    const { dataDir } = await (sqlite as TestDatabase).open(t)
    const folder = join(dataDir, 'closed')
    await mkdir(folder)
    await chmod(folder, 0o500)

    await assert.rejects(
      connectDatabase({ url: '', dataDir: folder, name: 'test' }),
      /unable to open database file|EACCES/,
    )
  })
})

/** Overwrites pages of a file with 4 KiB pages, counted from 0. */
async function damagePages(file: string, first: number, end: number): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.write(Buffer.alloc((end - first) * 4096, 0xff), 0, undefined, first * 4096)
}
