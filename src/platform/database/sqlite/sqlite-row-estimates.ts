import { type Kysely, sql } from 'kysely'

/** Rows up to which a table is counted, which takes less than a millisecond. */
const COUNTED_ROWS = 5_000
/** The same for a table without row ids, of which more cannot be known without reading all of it. */
const COUNTED_KEYS = 50_000
/** Places of a larger table that are looked at, and the rows at each. */
const SAMPLES = 32
const ROWS_PER_SAMPLE = 16

/**
 * Estimates the rows of each table. SQLite keeps no number of rows, and counting them reads an index as a whole. So
 * small tables are counted, and of larger ones a few places show how densely the row ids are used.
 */
export async function estimateSqliteRows<Tables>(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ name: string; wr: number }>`
    select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'
    order by name`.execute(db)
  const found = new Map<string, number>()
  for (const { name, wr: hasNoRowIds } of tables) {
    const limit = hasNoRowIds ? COUNTED_KEYS : COUNTED_ROWS
    const counted = await countUpTo(db, name, limit)
    found.set(name, hasNoRowIds || counted < limit ? counted : Math.max(limit, await estimateByRowIds(db, name)))
  }
  return found
}

async function countUpTo<Tables>(db: Kysely<Tables>, table: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${sql.table(table)} limit ${limit})`.execute(db)
  return rows[0].count
}

async function estimateByRowIds<Tables>(db: Kysely<Tables>, name: string): Promise<number> {
  const table = sql.table(name)
  // In one query without the inner ones, SQLite would read the whole table.
  const { rows } = await sql<{ first: number; last: number }>`
    select (select min(rowid) from ${table}) as first, (select max(rowid) from ${table}) as last`.execute(db)
  const [{ first, last }] = rows
  const width = (last - first + 1) / SAMPLES
  let estimate = 0
  for (let at = 0; at < SAMPLES; at++) {
    const from = Math.ceil(first + at * width)
    const { rows: sample } = await sql<{ count: number; last: number | null }>`
      select count(*) as count, max(id) as last
      from (select rowid as id from ${table} where rowid >= ${from} order by rowid limit ${ROWS_PER_SAMPLE})`.execute(
      db,
    )
    const [{ count, last: reached }] = sample
    if (reached !== null) estimate += (count / (reached - from + 1)) * width
  }
  return Math.round(estimate)
}
