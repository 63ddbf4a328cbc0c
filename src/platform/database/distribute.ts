import { type Kysely, sql } from 'kysely'
import { type Command, UsageError } from '../basics/command.ts'
import {
  type Cluster,
  type FoundTable,
  findUnenforceable,
  groupOf,
  readCluster,
  readKeys,
  readTables,
  type TableLayout,
} from './citus-cluster.ts'
import type { Database } from './database.ts'

/** Returns the address under which this command connects, so that its connections do not count as an instance. */
export function distributionUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'trackpress-distribute')
  return url.href
}

/** Admin commands that spread the tables of an installation over a Citus cluster. */
export function distributeCommands(parts: readonly DistributedPart[], report: (line: string) => void): Command[] {
  return [
    {
      usage: 'distribute --plan',
      doc: 'Shows how the tables would be spread over a Citus cluster, and what is missing for it.',
      isReadOnly: true,
      run: () => planDistribution(parts),
    },
    {
      usage: 'distribute --run',
      doc: 'Spreads the tables over a Citus cluster. Can be repeated.',
      run: () => distribute(parts, report),
    },
  ]
}

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

/** A service's schema and the layout of its tables. */
export type DistributedPart = {
  schema: string
  database: Database
  layout: Readonly<Record<string, TableLayout>>
}

/** A table in a plan. */
type PlannedTable = {
  table: string
  /** The layout in words. */
  layout: string
  bytes: number
  isDone: boolean
}

export type DistributionPlan = {
  postgresql: string
  citus: string | null
  coordinator: string | null
  workers: string[]
  tables: PlannedTable[]
  /** Reasons not to run the plan, each with its remedy. */
  problems: string[]
}

/** Version 13.2 is tested; 12 has the same functions. */
const MIN_CITUS_VERSION = 12

/**
 * Compares an installation with its layout, without changing anything.
 * @throws UsageError if there is nothing that can be spread
 */
export async function planDistribution(parts: readonly DistributedPart[]): Promise<DistributionPlan> {
  if (parts.length === 0) throw new UsageError('Only a PostgreSQL database can be distributed. Set DATABASE_URL.')
  // Instances connect under the names of their schemas.
  const instanceNames = parts.map(({ schema }) => schema)
  const cluster = await readCluster(parts[0].database.db, instanceNames)
  const tables: PlannedTable[] = []
  const problems = clusterProblems(cluster)
  for (const { schema, database, layout } of parts) {
    const found = await readTables(database.db, schema, cluster.citusVersion !== undefined)
    for (const table of found.filter(({ name }) => name in layout)) {
      tables.push(plannedTable(schema, layout[table.name], table))
      problems.push(...layoutProblems(schema, layout[table.name], table))
    }
    const keys = await readKeys(database.db, schema)
    problems.push(...findUnenforceable(layout, keys).map((problem) => `${schema}.${problem}`))
  }
  return {
    postgresql: cluster.postgresVersion,
    citus: cluster.citusVersion ?? null,
    coordinator: cluster.nodes.find(({ isCoordinator }) => isCoordinator)?.address ?? null,
    workers: cluster.nodes.filter(({ isCoordinator }) => !isCoordinator).map(({ address }) => address),
    tables,
    problems,
  }
}

function plannedTable(schema: string, layout: TableLayout, found: FoundTable): PlannedTable {
  return {
    table: `${schema}.${found.name}`,
    layout: inWords(layout),
    bytes: found.bytes,
    isDone: isLaidOut(layout, found),
  }
}

function inWords(layout: TableLayout): string {
  if (layout === 'everywhere') return 'on every machine'
  if (layout === 'coordinator') return 'on the coordinator'
  return `spread by ${layout.by}${layout.with === undefined ? '' : `, with ${layout.with}`}`
}

/** Tells whether a table is where its layout wants it, with nothing left behind. */
function isLaidOut(layout: TableLayout, { type, column, leftoverBytes }: FoundTable): boolean {
  if (layout === 'coordinator') return type === 'local'
  if (layout === 'everywhere') return type === 'reference' && leftoverBytes === 0
  return type === 'distributed' && column === layout.by && leftoverBytes === 0
}

function layoutProblems(schema: string, layout: TableLayout, { name, type, column }: FoundTable): string[] {
  const wanted = layout === 'everywhere' ? 'reference' : layout === 'coordinator' ? 'local' : 'distributed'
  const isOther = type !== undefined && (type !== wanted || (typeof layout === 'object' && column !== layout.by))
  // Citus turns a table of the coordinator into any other kind.
  if (!isOther || type === 'local') return []
  return [
    `${schema}.${name} is a ${type} table${column === undefined ? '' : ` spread by ${column}`}, and should be ` +
      `${inWords(layout)}. Run: select undistribute_table('${schema}.${name}')`,
  ]
}

function clusterProblems({ citusVersion, nodes, instanceConnections }: Cluster): string[] {
  if (citusVersion === undefined)
    return ['The database lacks the extension. Run on every machine: create extension citus']
  const problems: string[] = []
  if (Number.parseFloat(citusVersion) < MIN_CITUS_VERSION)
    problems.push(`Citus ${citusVersion} is too old; version ${MIN_CITUS_VERSION} or later is needed.`)
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    problems.push(
      "The coordinator is not part of the cluster. Run: select citus_set_coordinator_host('<host>', <port>)",
    )
  if (!nodes.some(({ isCoordinator, holdsShards }) => !isCoordinator && holdsShards))
    problems.push("The cluster has no workers. Run for each: select citus_add_node('<host>', <port>)")
  for (const { address, preparedTransactions } of nodes) {
    if (preparedTransactions === undefined) problems.push(`${address} does not answer.`)
    else if (preparedTransactions === 0) problems.push(`Set max_prepared_transactions on ${address}, and restart it.`)
  }
  if (instanceConnections > 0)
    problems.push(`Running instances have ${instanceConnections} connections to the database. Stop them first.`)
  return problems
}

/** Orders the tables so that each follows the table that its rows lie together with. */
function inOrder(layout: Readonly<Record<string, TableLayout>>): string[] {
  const isFollower = (table: string) => groupOf(layout, table) !== table
  return Object.keys(layout).sort((a, b) => Number(isFollower(a)) - Number(isFollower(b)))
}
