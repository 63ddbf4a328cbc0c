import { Client } from 'pg'

/** The part of a PostgreSQL schema that the program of another version may depend on. */
export type Schema = {
  tables: Map<string, { storage: number; columns: Map<string, Column> }>
  /** Indexes and constraints by name, each with its table and definition. */
  indexes: Map<string, { table: string; isUnique: boolean }>
  checks: Map<string, string>
}
type Column = { type: string; isRequired: boolean; hasDefault: boolean }

/** Tables whose rows number thousands at most, so that an index is made before anybody notices. */
const SMALL_TABLES = [
  'operator.operators',
  'operator.sessions',
  'operator.sign_in_links',
  'operator.sign_in_failures',
  'operator.map_files',
  'operator.map_choice',
  'publications.workspaces',
  'publications.api_keys',
  'publications.webhook_endpoints',
  'tracks.events',
  'tracks.app_tokens',
  'tracks.shares',
  'tracks.races',
  'tracks.webhook_endpoints',
]

/** Reads what these schemas of a database contain. */
export async function readSchema(url: string, schemas: readonly string[]): Promise<Schema> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return { tables: await readTables(client, schemas), ...(await readRules(client, schemas)) }
  } finally {
    await client.end()
  }
}

/**
 * Lists the changes by which instances of the version before would fail, or wait, while they run beside those of this
 * version: the rules of docs/adding-things.md.
 */
export function incompatibleChanges(before: Schema, after: Schema): string[] {
  const changes = [...before.tables].flatMap(([name, { storage, columns }]) => {
    const table = after.tables.get(name)
    if (table === undefined) return [`${name} is dropped or renamed`]
    return [
      ...(table.storage === storage ? [] : [`${name} is written anew, which locks it meanwhile`]),
      ...changedColumns(name, columns, table.columns),
    ]
  })
  const isOld = (table: string) => before.tables.has(table)
  const indexes = [...after.indexes].filter(([name, { table }]) => !before.indexes.has(name) && isOld(table))
  const checks = [...after.checks].filter(([name, table]) => !before.checks.has(name) && isOld(table))
  return [
    ...changes,
    ...indexes.filter(([, { isUnique }]) => isUnique).map(([name]) => `${name} refuses rows that were allowed`),
    ...indexes
      .filter(([, { table }]) => !SMALL_TABLES.includes(table))
      .map(([name, { table }]) => `${name} locks ${table}, which may be large, while it is made`),
    ...checks.map(([name]) => `${name} refuses rows that were allowed`),
  ]
}

function changedColumns(table: string, before: Map<string, Column>, after: Map<string, Column>): string[] {
  const kept = [...before].flatMap(([name, column]) => {
    const now = after.get(name)
    if (now === undefined) return [`${table}.${name} is dropped or renamed`]
    return [
      ...(now.type === column.type ? [] : [`${table}.${name} is ${now.type} instead of ${column.type}`]),
      ...(now.isRequired && !column.isRequired ? [`${table}.${name} becomes required`] : []),
      ...(column.hasDefault && !now.hasDefault ? [`${table}.${name} loses its default`] : []),
    ]
  })
  const added = [...after].filter(([name, column]) => !before.has(name) && column.isRequired && !column.hasDefault)
  return [...kept, ...added.map(([name]) => `${table}.${name} is required, and the version before does not give it`)]
}

async function readTables(client: Client, schemas: readonly string[]): Promise<Schema['tables']> {
  const { rows } = await client.query<Column & { table: string; name: string; storage: number }>(
    `select n.nspname || '.' || c.relname as table, c.relfilenode::int as storage, a.attname as name,
       format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired", a.atthasdef as "hasDefault"
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> 'migrations'`,
    [schemas],
  )
  const tables: Schema['tables'] = new Map()
  for (const { table, name, storage, ...column } of rows) {
    const known = tables.get(table) ?? { storage, columns: new Map() }
    known.columns.set(name, column)
    tables.set(table, known)
  }
  return tables
}

async function readRules(client: Client, schemas: readonly string[]): Promise<Omit<Schema, 'tables'>> {
  const { rows: indexes } = await client.query<{ name: string; table: string; isUnique: boolean }>(
    `select n.nspname || '.' || i.relname as name, n.nspname || '.' || t.relname as table, indisunique as "isUnique"
     from pg_index join pg_class i on i.oid = indexrelid join pg_class t on t.oid = indrelid
     join pg_namespace n on n.oid = t.relnamespace where n.nspname = any($1)`,
    [schemas],
  )
  const { rows: checks } = await client.query<{ name: string; table: string }>(
    `select n.nspname || '.' || conname as name, n.nspname || '.' || t.relname as table
     from pg_constraint join pg_class t on t.oid = conrelid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = any($1) and contype in ('c', 'f', 'x')`,
    [schemas],
  )
  return {
    indexes: new Map(indexes.map(({ name, ...index }) => [name, index])),
    checks: new Map(checks.map(({ name, table }) => [name, table])),
  }
}
