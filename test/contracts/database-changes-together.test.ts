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
  describe(`Batched changes on ${engine.name}`, () => {
    test('are all visible once the batch resolves', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })

      const made = await database.changeTogether([
        insert(database, 'a', 'b'),
        remove(database, 'a'),
        insert(database, 'c'),
      ])

      assert.equal(made, true)
      assert.deepEqual(await stored(database), ['b: bytes of b', 'c: bytes of c'])
    })

    test('are all rolled back if one changes an unexpected number of rows', async (t) => {
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

    test('are all rolled back even if an earlier change affected as many rows as the batch has changes', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      await database.changeTogether([insert(database, 'a', 'b')])

      const made = await database.changeTogether([remove(database, 'absent'), insert(database, 'c')])

      assert.equal(made, false)
      assert.deepEqual(await stored(database), ['a: bytes of a', 'b: bytes of b'])
    })

    test('are all rolled back if one fails, without affecting concurrent batches', async (t) => {
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

    test('commit exactly one of two conflicting batches', async (t) => {
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
