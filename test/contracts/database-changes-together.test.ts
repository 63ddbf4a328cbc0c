import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bytesType } from '#platform/database/column-types.ts'
import type { Change, Database } from '#platform/database/database.ts'
import type { Migration } from '#platform/database/migrate.ts'
import { isUniqueViolation } from '#platform/database/unique-violation.ts'
import { databases } from '../support/databases.ts'

type Tables = { notes: { id: string; bytes: Uint8Array } }

const migrations: Record<string, Migration> = {
  '0001-create-notes': {
    async up(db) {
      await db.schema
        .createTable('notes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('bytes', bytesType(db), (column) => column.notNull())
        .execute()
    },
  },
}

function insert({ db }: Database<Tables>, ...ids: string[]): Change {
  const values = ids.map((id) => ({ id, bytes: Buffer.from(`bytes of ${id}`) }))
  return { query: db.insertInto('notes').values(values).compile(), rows: ids.length }
}

function remove({ db }: Database<Tables>, ...ids: string[]): Change {
  return { query: db.deleteFrom('notes').where('id', 'in', ids).compile(), rows: ids.length }
}

async function stored({ db }: Database<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('notes').selectAll().orderBy('id').execute()
  return rows.map(({ id, bytes }) => `${id}: ${Buffer.from(bytes)}`)
}

for (const engine of databases) {
  describe(`Changes made together on ${engine.name}`, () => {
    test('all are there once it says so', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })

      const made = await database.changeTogether([
        insert(database, 'a', 'b'),
        remove(database, 'a'),
        insert(database, 'c'),
      ])

      assert.equal(made, true)
      assert.deepEqual(await stored(database), ['b: bytes of b', 'c: bytes of c'])
    })

    test('none is made where one would change another number of rows than it has to', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      await database.changeTogether([insert(database, 'a')])

      const made = await database.changeTogether([
        insert(database, 'b'),
        remove(database, 'a', 'absent'),
        insert(database, 'c'),
      ])

      assert.equal(made, false)
      assert.deepEqual(await stored(database), ['a: bytes of a'])
    })

    test('none is made right after a change of as many rows as there are changes', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      await database.changeTogether([insert(database, 'a', 'b')])

      const made = await database.changeTogether([remove(database, 'absent'), insert(database, 'c')])

      assert.equal(made, false)
      assert.deepEqual(await stored(database), ['a: bytes of a', 'b: bytes of b'])
    })

    test('none is made where one fails, and others that run at the same time are not touched', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      await database.changeTogether([insert(database, 'a')])

      const [before, failed, after] = await Promise.allSettled([
        database.changeTogether([insert(database, 'b')]),
        database.changeTogether([insert(database, 'c'), insert(database, 'a')]),
        database.changeTogether([insert(database, 'd')]),
      ])

      assert.deepEqual([before, after], Array(2).fill({ status: 'fulfilled', value: true }))
      assert(failed.status === 'rejected' && isUniqueViolation(failed.reason))
      assert.deepEqual(await stored(database), ['a: bytes of a', 'b: bytes of b', 'd: bytes of d'])
    })

    test('of two that cannot both be made one is', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      await database.changeTogether([insert(database, 'a')])

      const made = await Promise.all([
        database.changeTogether([remove(database, 'a'), insert(database, 'b')]),
        database.changeTogether([remove(database, 'a'), insert(database, 'c')]),
      ])

      assert.deepEqual(made.sort(), [false, true])
      assert.equal((await stored(database)).length, 1)
    })
  })
}
