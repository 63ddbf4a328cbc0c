import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * The place of a table in a distributed database, a Citus cluster:
 *
 * - `by`: its rows are spread over the workers by the hash of a column, with rows of the table named `with`;
 * - `everywhere`: every machine has a copy, for small tables that are read together with spread ones;
 * - `coordinator`: it stays on the coordinator.
 */
export type TableLayout = { by: string; with?: string } | 'everywhere' | 'coordinator'

/** The layout of each table of a service. A new table without one does not compile. */
export type DatabaseLayout<Tables> = { readonly [Table in keyof Tables & string]: TableLayout }

/** A unique constraint, unique index or foreign key of a table. */
export type TableKey = {
  table: string
  name: string
  columns: readonly string[]
  /** The table and columns that a foreign key refers to. */
  target?: { table: string; columns: readonly string[] }
}

/**
 * Finds keys that a distributed database cannot enforce: a unique key of a spread table without the column it is spread
 * by, and a foreign key that would cross machines.
 */
export function findUnenforceable(layout: Record<string, TableLayout>, keys: readonly TableKey[]): string[] {
  return keys.flatMap((key) => {
    const problem = key.target === undefined ? uniqueProblem(layout, key) : foreignProblem(layout, key, key.target)
    return problem === undefined ? [] : [`${key.table}: ${key.name} ${problem}`]
  })
}

function uniqueProblem(layout: Record<string, TableLayout>, { table, columns }: TableKey): string | undefined {
  const column = columnOf(layout[table])
  if (column === undefined || columns.includes(column)) return undefined
  return `is unique by ${columns.join(', ')}, without ${column}, the column that the table is spread by`
}

function foreignProblem(
  layout: Record<string, TableLayout>,
  { table, columns }: TableKey,
  target: { table: string; columns: readonly string[] },
): string | undefined {
  const column = columnOf(layout[table])
  const targetColumn = columnOf(layout[target.table])
  if (layout[target.table] === 'everywhere') return undefined
  if (column === undefined && targetColumn === undefined) return undefined
  const isTogether =
    column !== undefined &&
    groupOf(layout, table) === groupOf(layout, target.table) &&
    columns.indexOf(column) !== -1 &&
    target.columns[columns.indexOf(column)] === targetColumn
  return isTogether ? undefined : `refers to ${target.table}, whose rows may be on another machine`
}

function columnOf(layout: TableLayout | undefined): string | undefined {
  return typeof layout === 'object' ? layout.by : undefined
}

/** Returns the table by which a group of tables is named whose rows lie together. */
export function groupOf(layout: Record<string, TableLayout>, table: string): string {
  const of = layout[table]
  return typeof of === 'object' ? (of.with ?? table) : table
}

/** A machine of a Citus cluster. */
type ClusterNode = {
  address: string
  isCoordinator: boolean
  /** False for a machine that is left out or gets no shards. */
  holdsShards: boolean
  /** `max_prepared_transactions`; undefined if the machine does not answer. */
  preparedTransactions: number | undefined
}

/** A cluster as its coordinator describes it. */
export type Cluster = {
  postgresVersion: string
  /** Version of the extension, such as `13.2-1`; undefined if the database does not have it. */
  citusVersion: string | undefined
  nodes: ClusterNode[]
  /** Connections of running instances to this database. */
  instanceConnections: number
}

/** A table as it is: where its rows are, and their size. */
export type FoundTable = {
  name: string
  /** As Citus calls it; undefined for a table that it does not know. */
  type: 'distributed' | 'reference' | 'local' | undefined
  column: string | undefined
  bytes: number
  /** Rows that were copied to the workers and remain, unseen, on the coordinator. */
  leftoverBytes: number
}

/** Reads the state of the cluster. `instanceNames` are the names by which instances connect. */
export async function readCluster(db: Kysely<unknown>, instanceNames: readonly string[]): Promise<Cluster> {
  const [{ version }] = (
    await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  ).rows
  const installed = await sql<{ extversion: string }>`
    select extversion from pg_extension where extname = 'citus'`.execute(db)
  const citusVersion = installed.rows[0]?.extversion
  const connections = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name in (${sql.join(instanceNames)})`.execute(db)
  return {
    postgresVersion: version,
    citusVersion,
    nodes: citusVersion === undefined ? [] : await readNodes(db),
    instanceConnections: connections.rows[0].count,
  }
}

async function readNodes(db: Kysely<unknown>): Promise<ClusterNode[]> {
  const { rows } = await sql<{ address: string; groupid: number; holds: boolean; prepared: string | null }>`
    select nodename || ':' || nodeport as address, groupid, isactive and shouldhaveshards as holds,
      case when answer.success then answer.result end as prepared
    from pg_dist_node
    left join run_command_on_all_nodes('show max_prepared_transactions', give_warning_for_connection_errors => true)
      as answer using (nodeid)
    where noderole = 'primary'
    order by groupid`.execute(db)
  return rows.map(({ address, groupid, holds, prepared }) => ({
    address,
    isCoordinator: groupid === 0,
    holdsShards: holds,
    preparedTransactions: prepared === null ? undefined : Number(prepared),
  }))
}

/** Returns the tables of a schema. */
export async function readTables(db: Kysely<unknown>, schema: string, hasCitus: boolean): Promise<FoundTable[]> {
  const { rows } = await (hasCitus ? knownTables(schema) : plainTables(schema)).execute(db)
  return rows.map(({ type, column, ...row }) => ({ ...row, type: type ?? undefined, column: column ?? undefined }))
}

type TableRow = Pick<FoundTable, 'name' | 'bytes' | 'leftoverBytes'> & {
  type: FoundTable['type'] | null
  column: string | null
}

function plainTables(schema: string): RawBuilder<TableRow> {
  return sql<TableRow>`
    select c.relname as name, null as type, null as column, pg_total_relation_size(c.oid) as bytes, 0 as "leftoverBytes"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r'`
}

/** The view `citus_tables` would have most of it, but lies in a schema of the operator's choice. */
function knownTables(schema: string): RawBuilder<TableRow> {
  return sql<TableRow>`
    select c.relname as name,
      case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference'
        when p.partmethod = 'n' then 'local' end as type,
      case when p.partmethod = 'h' then column_to_column_name(c.oid, p.partkey) end as column,
      case when p.logicalrelid is null then pg_total_relation_size(c.oid) else citus_total_relation_size(c.oid) end as bytes,
      case when p.partmethod = 'h' or p.repmodel = 't' then pg_relation_size(c.oid) else 0 end as "leftoverBytes"
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_dist_partition p on p.logicalrelid = c.oid
    where n.nspname = ${schema} and c.relkind = 'r'`
}

/** Returns the unique keys and the foreign keys of a schema. */
export async function readKeys(db: Kysely<unknown>, schema: string): Promise<TableKey[]> {
  const columns = (relation: string, numbers: string) =>
    sql.raw(`(select array_agg(a.attname::text order by k.position) from unnest(${numbers}) with ordinality
      as k (number, position) join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number)`)
  const unique = await sql<{ table: string; name: string; columns: string[] }>`
    select t.relname as table, c.relname as name, ${columns('i.indrelid', 'i.indkey::int2[]')} as columns
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = ${schema} and i.indisunique`.execute(db)
  const foreign = await sql<{ table: string; name: string; columns: string[]; target: string; targets: string[] }>`
    select t.relname as table, f.conname as name, ${columns('f.conrelid', 'f.conkey')} as columns,
      r.relname as target, ${columns('f.confrelid', 'f.confkey')} as targets
    from pg_constraint f
    join pg_class t on t.oid = f.conrelid
    join pg_class r on r.oid = f.confrelid
    join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = ${schema} and f.contype = 'f'`.execute(db)
  return [
    ...unique.rows,
    ...foreign.rows.map(({ target, targets, ...key }) => ({ ...key, target: { table: target, columns: targets } })),
  ]
}
