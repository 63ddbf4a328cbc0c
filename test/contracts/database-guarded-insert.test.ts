import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql, type Transaction } from 'kysely'
import type { Database, GuardedInsert, GuardedRows } from '#platform/database/database.ts'
import { bytesType, type Migration } from '#platform/database/migrate.ts'
import { postgresGuardedInsert } from '#platform/database/postgres-guarded-insert.ts'
import { isUniqueViolation } from '#platform/database/transaction.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'

type Tables = {
  shelves: { id: string; label: string | null; length: number }
  notes: { shelf_id: string; position: number; text: string | null; bytes: Uint8Array }
}

const migrations: Record<string, Migration> = {
  '0001-create-shelves': {
    async up(db) {
      await db.schema
        .createTable('shelves')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('label', 'text')
        .addColumn('length', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('notes')
        .addColumn('shelf_id', 'text', (column) => column.notNull())
        .addColumn('position', 'bigint', (column) => column.notNull())
        .addColumn('text', 'text')
        .addColumn('bytes', bytesType(db), (column) => column.notNull())
        .addPrimaryKeyConstraint('notes_pk', ['shelf_id', 'position'])
        .execute()
    },
  },
}

/** Notes go on a shelf if it has the length that the writer expects. */
const ADD_NOTES: GuardedInsert = {
  guard: {
    table: 'shelves',
    values: { id: 'text', expected: 'bigint', added: 'bigint', label: 'text' },
    set: (value) => `length = shelves.length + ${value('added')}, label = ${value('label')}`,
    where: (value) => `shelves.length = ${value('expected')} or shelves.length < 0`,
  },
  insert: { table: 'notes', columns: { shelf_id: 'text', position: 'bigint', text: 'text', bytes: 'bytes' } },
}

async function open(engine: TestDatabase, owner: Owner) {
  const database = await engine.connect<Tables>(owner, { migrations })
  const shelves = ['a', 'b', 'c'].map((id) => ({ id, label: null, length: 0 }))
  await database.db.insertInto('shelves').values(shelves).execute()
  return { database, add: database.guardedInsert(ADD_NOTES) }
}

/** Puts notes with these texts on a shelf after the `expected` notes that it has. */
function onShelf(id: string, expected: number, ...texts: (string | null)[]): GuardedRows {
  return {
    guard: [id, expected, texts.length, texts.at(-1) ?? null],
    rows: texts.map((text, i) => [id, expected + i, text, Buffer.from(`bytes of ${text}`)]),
  }
}

async function stored({ db }: Database<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('notes').selectAll().orderBy('shelf_id').orderBy('position').execute()
  return rows.map(({ shelf_id, position, text, bytes }) => `${shelf_id}${position} ${text}: ${Buffer.from(bytes)}`)
}

for (const engine of databases) {
  describe(`Guarded inserts on ${engine.name}`, () => {
    test('insert the rows of every guard and update the guards', async (t) => {
      const { database, add } = await open(engine, t)

      const inserted = await add([onShelf('b', 0, 'one', null), onShelf('a', 0, '"{two}, \\ null"'), onShelf('c', 0)])

      assert.deepEqual(inserted, [true, true, true])
      assert.deepEqual(await stored(database), [
        'a0 "{two}, \\ null": bytes of "{two}, \\ null"',
        'b0 one: bytes of one',
        'b1 null: bytes of null',
      ])
      const shelves = await database.db.selectFrom('shelves').selectAll().orderBy('id').execute()
      assert.deepEqual(
        shelves.map(({ label, length }) => [label, length]),
        [
          ['"{two}, \\ null"', 1],
          [null, 2],
          [null, 0],
        ],
      )
    })

    test('leave out the rows of a guard that is absent or not as expected', async (t) => {
      const { database, add } = await open(engine, t)
      await add([onShelf('a', 0, 'one')])

      const inserted = await add([onShelf('a', 0, 'late'), onShelf('absent', 0, 'lost'), onShelf('b', 0, 'two')])

      // Over several machines, one refusal stands for all.
      const isOfGroup = engine.name === 'Citus'
      assert.deepEqual(inserted, [false, false, !isOfGroup])
      assert.deepEqual(await stored(database), ['a0 one: bytes of one', ...(isOfGroup ? [] : ['b0 two: bytes of two'])])
    })

    test('insert nothing if one fails, without affecting concurrent ones', async (t) => {
      const { database, add } = await open(engine, t)
      const row = { shelf_id: 'b', position: 1, text: 'there', bytes: Buffer.from('x') }
      await database.db.insertInto('notes').values(row).execute()

      const [before, failed, after] = await Promise.allSettled([
        add([onShelf('a', 0, 'one')]),
        add([onShelf('c', 0, 'two'), onShelf('b', 0, 'three', 'four')]),
        add([onShelf('c', 0, 'five')]),
      ])

      assert.deepEqual([before, after], Array(2).fill({ status: 'fulfilled', value: [true] }))
      assert(failed.status === 'rejected' && isUniqueViolation(failed.reason))
      assert.deepEqual(await stored(database), ['a0 one: bytes of one', 'b1 there: x', 'c0 five: bytes of five'])
      const shelves = await database.db.selectFrom('shelves').select(['id', 'length']).orderBy('id').execute()
      assert.deepEqual(
        shelves.map(({ length }) => length),
        [1, 0, 1],
      )
    })

    test('let exactly one of two conflicting writers insert', async (t) => {
      const { database, add } = await open(engine, t)

      const inserted = await Promise.all([add([onShelf('a', 0, 'one')]), add([onShelf('a', 0, 'two')])])

      assert.deepEqual(inserted.flat().sort(), [false, true])
      assert.equal((await stored(database)).length, 1)
    })
  })
}

/** Returns the rows of shelves that the connection of the transaction has read and has not reported yet. */
async function shelvesRead(transaction: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'shelves'`.execute(
    transaction,
  )
  return rows[0].read
}

for (const engine of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('PostgreSQL reads only the guards of the rows, also of a table that it has no statistics of', async (t) => {
    const { database } = await open(engine, t)
    const shelves = Array.from({ length: 2_000 }, (_, i) => ({ id: `shelf ${i}`, label: null, length: 0 }))
    await database.db.insertInto('shelves').values(shelves).execute()
    // PostgreSQL expects few rows in this index, and it has all of them.
    await sql`create index empty_shelves on shelves (id) where length = 0`.execute(database.db)
    const isEmpty: GuardedInsert = { ...ADD_NOTES, guard: { ...ADD_NOTES.guard, where: () => 'shelves.length = 0' } }

    const read = await database.db.transaction().execute(async (transaction) => {
      const before = await shelvesRead(transaction)
      const groups = Array.from({ length: 20 }, (_, i) => onShelf(`shelf ${i}`, 0, 'one'))
      await postgresGuardedInsert<Tables>(transaction, isEmpty)(groups)
      return (await shelvesRead(transaction)) - before
    })

    assert.equal(read, 20)
  })
}
