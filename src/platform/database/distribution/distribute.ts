import { type Kysely, sql } from 'kysely'
import { UsageError } from '../../command.ts'
import {
  type DistributedPart,
  type DistributionPlan,
  inOrder,
  isLaidOut,
  planDistribution,
} from './plan-distribution.ts'
import { type FoundTable, readTables } from './read-cluster.ts'
import type { TableLayout } from './table-layout.ts'

/**
 * Lays out the tables of an installation over a Citus cluster, one table per transaction. A table that is where it
 * belongs is left alone, so that an interrupted run is continued by the next. The lock of migrations
 * keeps instances from starting meanwhile.
 * @throws UsageError with the problems of the plan
 */
export async function distribute(
  parts: readonly DistributedPart[],
  report: (line: string) => void,
): Promise<DistributionPlan> {
  const { problems } = await planDistribution(parts)
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  for (const { schema, database, layout } of parts) {
    for (const table of inOrder(layout)) {
      const changed = await database.exclusively((transaction) =>
        layOut(transaction as unknown as Kysely<unknown>, schema, table, layout[table]),
      )
      if (changed) report(`${schema}.${table} is done.`)
    }
  }
  return await planDistribution(parts)
}

/** Moves one table to its place. Returns false if it is there. */
async function layOut(db: Kysely<unknown>, schema: string, table: string, layout: TableLayout): Promise<boolean> {
  const name = `${schema}.${table}`
  const found = await findTable(db, schema, table)
  if (found === undefined || isLaidOut(layout, found)) return false
  if (layout === 'coordinator') {
    await sql`select citus_add_local_table_to_metadata(${name}::regclass)`.execute(db)
    return true
  }
  if (layout === 'everywhere') {
    if (found.type !== 'reference') await sql`select create_reference_table(${name}::regclass)`.execute(db)
  } else if (found.type !== 'distributed') {
    const together = layout.with === undefined ? 'none' : `${schema}.${layout.with}`
    await sql`select create_distributed_table(${name}::regclass, ${layout.by}, colocate_with => ${together})`.execute(
      db,
    )
  }
  // The rows were copied; the old ones would take their space for ever. Sizes of
  // shards cannot be read in this transaction.
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size(${name}::regclass) as bytes`.execute(db)
  if (rows[0].bytes > 0) await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(db)
  return true
}

async function findTable(db: Kysely<unknown>, schema: string, table: string): Promise<FoundTable | undefined> {
  return (await readTables(db, schema, true)).find(({ name }) => name === table)
}
