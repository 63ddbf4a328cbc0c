import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { findUnenforceable, readKeys, type TableKey, type TableLayout } from '#platform/database/citus-cluster.ts'
import type { Database } from '#platform/database/database.ts'
import { publicationsMigrations } from '../../src/publications/model/migrations.ts'
import { publicationsLayout } from '../../src/publications/model/tables.ts'
import { tracksMigrations } from '../../src/tracks/model/migrations.ts'
import { tracksLayout } from '../../src/tracks/model/tables.ts'
import { databases } from '../support/databases.ts'
import { unboundTables } from '../support/sharded-queries.ts'

const services = [
  { name: 'tracks', migrations: tracksMigrations, layout: tracksLayout as Record<string, TableLayout> },
  {
    name: 'publications',
    migrations: publicationsMigrations,
    layout: publicationsLayout as Record<string, TableLayout>,
  },
]

for (const database of databases) {
  for (const { name, migrations, layout } of services) {
    describe(`the tables of ${name} on ${database.name}`, () => {
      test('all have a place in a distributed database', async (t) => {
        const connected = await database.connect(t, { name, migrations })

        const tables = await tablesOf(connected)

        assert.deepEqual(tables, [...Object.keys(layout), 'migrations'].sort())
      })

      test('have no key that a distributed database could not enforce', async (t) => {
        const connected = await database.connect(t, { name, migrations })

        const keys = await keysOf(connected, name)

        // Every table has a primary key; none would mean that the catalog was misread.
        for (const table of Object.keys(layout)) assert(keys.some((key) => key.table === table))
        assert.deepEqual(findUnenforceable(layout, keys), [])
      })
    })
  }
}

describe('findUnenforceable', () => {
  const layout: Record<string, TableLayout> = {
    races: { by: 'id' },
    laps: { by: 'race_id', with: 'races' },
    riders: { by: 'id' },
    countries: 'everywhere',
    settings: 'coordinator',
  }
  const unique = (table: string, columns: string[]): TableKey => ({ table, name: 'key', columns })
  const foreign = (table: string, column: string, target: string): TableKey => ({
    table,
    name: 'key',
    columns: [column],
    target: { table: target, columns: ['id'] },
  })

  test('refuses a unique key without the column that the table is spread by', () => {
    const keys = [unique('laps', ['race_id', 'number']), unique('laps', ['number']), unique('settings', ['name'])]

    assert.deepEqual(findUnenforceable(layout, keys), [
      'laps: key is unique by number, without race_id, the column that the table is spread by',
    ])
  })

  test('refuses a foreign key to rows that may be on another machine', () => {
    const keys = [
      foreign('laps', 'race_id', 'races'),
      foreign('laps', 'country_id', 'countries'),
      foreign('settings', 'country_id', 'countries'),
      foreign('laps', 'rider_id', 'riders'),
      foreign('laps', 'setting_id', 'settings'),
      foreign('settings', 'race_id', 'races'),
    ]

    assert.deepEqual(findUnenforceable(layout, keys), [
      'laps: key refers to riders, whose rows may be on another machine',
      'laps: key refers to settings, whose rows may be on another machine',
      'settings: key refers to races, whose rows may be on another machine',
    ])
  })
})

describe('unboundTables', () => {
  const layout: Record<string, TableLayout> = { tracks: { by: 'id' }, chunks: { by: 'track_id' }, events: 'everywhere' }
  const cases: [query: string, unbound: string[]][] = [
    ['select * from "tracks" where "id" = $ and "event_id" = $', []],
    ['select * from "tracks" where "event_id" = $', ['tracks']],
    [
      'select * from "tracks" inner join "events" on "events"."id" = "tracks"."event_id" where "events"."id" = $',
      ['tracks'],
    ],
    ['select * from "tracks" inner join "events" on "events"."id" = "tracks"."event_id" where "tracks"."id" = $', []],
    ['select * from "tracks" where "id" in (select "track_id" from "chunks")', ['tracks', 'chunks']],
    ['delete from "chunks" where "track_id" in ($) and "first_ms" < $', []],
    ['insert into "chunks" ("track_id", "bytes") values ($)', []],
    ['insert into "chunks" ("bytes") values ($)', ['chunks']],
    ['select * from "events"', []],
  ]
  for (const [query, unbound] of cases) {
    test(`finds ${unbound.join(' and ') || 'nothing'} in: ${query}`, () => {
      assert.deepEqual(unboundTables(query, layout), unbound)
    })
  }
})

async function tablesOf({ db, kind }: Database): Promise<string[]> {
  const query =
    kind === 'SQLite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{
          name: string
        }>`select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`
  return (await query.execute(db as unknown as Kysely<unknown>)).rows.map(({ name }) => name).sort()
}

async function keysOf(database: Database, schema: string): Promise<TableKey[]> {
  if (database.kind !== 'SQLite') return await readKeys(database.db as unknown as Kysely<unknown>, schema)
  const keys: TableKey[] = []
  for (const table of await tablesOf(database)) {
    const unique = await sql<{ name: string; columns: string }>`
      select i.name, (select json_group_array(c.name) from pragma_index_info(i.name) c) as columns
      from pragma_index_list(${table}) i where i."unique" = 1`.execute(database.db)
    // An integer primary key of SQLite is the row's own number and has no index.
    const primary = await sql<{ columns: string }>`
      select json_group_array(name) as columns from pragma_table_info(${table}) where pk > 0`.execute(database.db)
    const foreign = await sql<{ from: string; table: string; to: string }>`
      select * from pragma_foreign_key_list(${table})`.execute(database.db)
    const indexed = [...unique.rows, { name: 'primary key', columns: primary.rows[0].columns }]
    keys.push(...indexed.map(({ name, columns }) => ({ table, name, columns: JSON.parse(columns) as string[] })))
    for (const { from, table: target, to } of foreign.rows)
      keys.push({ table, name: `of ${from}`, columns: [from], target: { table: target, columns: [to] } })
  }
  return keys
}
