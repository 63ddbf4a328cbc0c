import { UsageError } from '../../command.ts'
import type { Database } from '../database.ts'
import { type Cluster, type FoundTable, readCluster, readKeys, readTables } from './read-cluster.ts'
import { findUnenforceable, groupOf, type TableLayout } from './table-layout.ts'

/** A service's schema and the layout of its tables. */
export type DistributedPart = {
  schema: string
  database: Pick<Database, 'db' | 'exclusively'>
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
export function isLaidOut(layout: TableLayout, { type, column, leftoverBytes }: FoundTable): boolean {
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
export function inOrder(layout: Readonly<Record<string, TableLayout>>): string[] {
  const isFollower = (table: string) => groupOf(layout, table) !== table
  return Object.keys(layout).sort((a, b) => Number(isFollower(a)) - Number(isFollower(b)))
}
