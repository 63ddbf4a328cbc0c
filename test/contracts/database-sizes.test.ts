import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import type { Migration } from '#platform/database/migrate.ts'
import { addDatabaseMetrics } from '#platform/database/open-database.ts'
import { databases } from '../support/databases.ts'

type Tables = { notes: { id: number; text: string }; keys: { id: number } }

const migrations: Record<string, Migration> = {
  '0001-create-notes': {
    async up(db) {
      for (const table of ['notes', 'keys'])
        await db.schema
          .createTable(table)
          .addColumn('id', 'bigint', (column) => column.primaryKey())
          .addColumn('text', 'text')
          .execute()
    },
  },
}

for (const engine of databases) {
  describe(`The size of a database in ${engine.name}`, () => {
    test('is told with the rows of each table, near enough without counting them', async (t) => {
      const database = await engine.connect<Tables>(t, { migrations })
      const { db } = database
      const isServer = database.embedded === undefined
      // Half of the rows of notes have gone, more of the older ones.
      await sql`insert into notes (id, text) with recursive numbers (n) as (
        select 1 union all select n + 1 from numbers where n < 20000) select n, 'text' from numbers`.execute(db)
      await sql`delete from notes where id <= 12000 and id % 3 <> 0 or id > 12000 and id % 4 = 0`.execute(db)
      await sql`insert into keys (id) values (1), (5), (9)`.execute(db)
      if (isServer) await sql`analyze notes, keys`.execute(db)

      const rows = await database.estimateRows()

      const { count } = await db
        .selectFrom('notes')
        .select(db.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const share = rows.get('notes')! / Number(count)
      assert.ok(share > 0.9 && share < 1.1, `${rows.get('notes')} of ${count}`)
      assert.equal(rows.get('keys'), 3)
    })
  })
}

describe('The metrics of a database', () => {
  test('are read once for many scrapes, and again after a failure', async () => {
    const registry = new Registry()
    let reads = 0
    addDatabaseMetrics(registry, 'tracks', {
      async estimateRows() {
        reads++
        if (reads === 1) throw new Error('away')
        return new Map([['points', 7]])
      },
      sizeBytes: async () => 4096,
    })

    const failed = await registry.metrics()
    const [first, second] = [await registry.metrics(), await registry.metrics()]

    assert.doesNotMatch(failed, /^database_/m)
    assert.match(first, /^database_rows\{service="tracks",table="points"\} 7$/m)
    assert.match(first, /^database_bytes\{service="tracks"\} 4096$/m)
    assert.equal(second, first)
    assert.equal(reads, 2)
  })
})
