import type { QueueStorage, Row } from './queue-storage.ts'

/** A value that a statement takes. */
export type SqlValue = string | number | null

/** One connection to SQLite 3.38 or newer. */
export type SqlConnection = {
  /** Runs statements without parameters. */
  execute(statements: string): Promise<unknown>
  /** Runs one statement. @returns the number of rows that it changed */
  run(statement: string, values: SqlValue[]): Promise<number>
  all(statement: string, values: SqlValue[]): Promise<{ key: string; value: string }[]>
}

/** One table of keys, so that every change is one statement and needs no transaction of the driver. */
const CREATE = 'create table if not exists trackpress_queue (key text primary key, value text) without rowid'

/**
 * A statement is atomic by itself. Removed keys get the value null in it, and are swept afterwards:
 * rows without a value do not count as rows.
 */
const WRITE = `insert into trackpress_queue (key, value)
select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(?)
where not exists (
  select 1 from json_each(?) as expected
  where (select value from trackpress_queue where key = json_extract(expected.value, '$[0]'))
    is not json_extract(expected.value, '$[1]')
)
on conflict (key) do update set value = excluded.value`

const SWEEP = 'delete from trackpress_queue where value is null'

const READ =
  'select key, value from trackpress_queue where key >= ? and key < ? and value is not null order by key limit ?'

/**
 * Creates storage in a SQLite database, which may have other tables.
 * @throws the error of the driver
 */
export async function sqliteStorage({ execute, run, all }: SqlConnection): Promise<QueueStorage> {
  // Separate statements: drivers run several in a transaction, in which `synchronous` cannot change.
  await execute('pragma busy_timeout = 5000')
  // An acknowledged point survives a loss of power, also where the database uses a write-ahead log.
  await execute('pragma synchronous = full')
  await execute(CREATE)
  return {
    async read(from, until, limit) {
      const rows = await all(READ, [from, until, limit])
      return rows.map(({ key, value }): Row => [key, value])
    },
    async write(changes, expected = []) {
      const changed = await run(WRITE, [JSON.stringify(changes), JSON.stringify(expected)])
      if (changes.some(([, next]) => next === null)) await run(SWEEP, []).catch(() => {})
      return changed > 0
    },
  }
}
