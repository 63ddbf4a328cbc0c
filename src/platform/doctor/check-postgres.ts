import { Client } from 'pg'
import type { Migration } from '../database/migrate.ts'
import { postgresConfig } from '../database/postgres-pool.ts'
import { type AppliedMigration, type Finding, findingsOf, migrationFinding } from './finding.ts'

const { ok, warning, error } = findingsOf('database')

/** The oldest supported version of PostgreSQL, and the version that the tests run on. */
const LEAST_VERSION = 14
const TESTED_VERSION = 18

/** Signed addresses and sessions carry times. Rows of several instances are ordered by them. */
const CLOCK_WARNING_MS = 2_000
const CLOCK_ERROR_MS = 60_000

/** A service's schema, and the migrations that this program knows. */
type CheckedSchema = { name: string; migrations: Record<string, Migration>; needsTrigrams: boolean }

type PostgresCheck = {
  url: string
  /** Connections of an instance for each service. */
  connections: number
  schemas: readonly CheckedSchema[]
  now: () => number
}

type Server = {
  version: number
  synchronous_commit: string
  fsync: string
  full_page_writes: string
  is_standby: boolean
  encoding: string
  user: string
  max: number
  used: number
  can_create: boolean
  clock_ms: number
}

/** Checks a PostgreSQL database without changing it. */
export async function checkPostgres({ url, connections, schemas, now }: PostgresCheck): Promise<Finding[]> {
  const client = new Client(postgresConfig({ url, schema: 'public', maxConnections: 1 }))
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (cause) {
    await client.end().catch(() => {})
    return [unreachable(cause as NodeJS.ErrnoException)]
  }
  try {
    const askedMs = now()
    const server = await readServer(client)
    const clockMs = (askedMs + now()) / 2
    return [
      versionFinding(server.version),
      ...durabilityFindings(server),
      connectionsFinding(server, schemas.length * (connections + 1)),
      clockFinding('clock', 'the database', server.clock_ms - clockMs),
      ...(await schemaFindings(client, schemas, server)),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

/** Judges the difference of a clock from this one. */
export function clockFinding(check: string, other: string, aheadMs: number): Finding {
  const seconds = Math.abs(aheadMs / 1000).toFixed(1)
  if (Math.abs(aheadMs) < CLOCK_WARNING_MS) return ok(check, `That of ${other} agrees, to ${seconds} s.`)
  const found = `That of ${other} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this one.`
  const remedy = 'Synchronise the clocks of all machines (chrony, systemd-timesyncd).'
  return Math.abs(aheadMs) < CLOCK_ERROR_MS ? warning(check, found, remedy) : error(check, found, remedy)
}

function unreachable({ code = '', message }: NodeJS.ErrnoException): Finding {
  const remedies: Record<string, string> = {
    ECONNREFUSED: 'Start the database, and compare host and port in DATABASE_URL.',
    ENOTFOUND: 'Correct the host in DATABASE_URL.',
    '28P01': 'Correct user and password in DATABASE_URL.',
    '28000': 'Allow this user and machine in pg_hba.conf.',
    '3D000': 'Create the database, or correct its name in DATABASE_URL.',
    '53300': 'Raise max_connections, or lower DATABASE_CONNECTIONS.',
    '42501': 'Grant the user the right to connect: grant connect on database … to …',
  }
  return error(
    'reachable',
    `The database refuses the connection: ${message}.`,
    remedies[code] ?? 'Compare DATABASE_URL with the database.',
  )
}

async function readServer(client: Client): Promise<Server> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version_num')::int / 10000 as version,
       current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as full_page_writes, pg_is_in_recovery() as is_standby,
       current_setting('server_encoding') as encoding, current_user as user,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') - 1 as used,
       has_database_privilege(current_database(), 'create') as can_create,
       extract(epoch from clock_timestamp())::float8 * 1000 as clock_ms`,
  )
  return rows[0]
}

function versionFinding(version: number): Finding {
  if (version >= TESTED_VERSION) return ok('version', `PostgreSQL ${version}.`)
  if (version >= LEAST_VERSION)
    return ok('version', `PostgreSQL ${version}; Trackpress is tested with ${TESTED_VERSION}.`)
  return error('version', `PostgreSQL ${version} is too old.`, `Upgrade it to ${TESTED_VERSION}.`)
}

function durabilityFindings(server: Server): Finding[] {
  const findings: Finding[] = []
  for (const name of ['synchronous_commit', 'fsync', 'full_page_writes'] as const) {
    if (server[name] !== 'off') continue
    const found = `${name} is off: acknowledged points can be lost, or the database damaged, when its machine fails.`
    findings.push(error(name, found, `Set ${name} = on in postgresql.conf, and for the user and the database.`))
  }
  if (findings.length === 0) findings.push(ok('durability', 'An acknowledged commit is on disk.'))
  if (server.is_standby)
    findings.push(error('primary', 'This is a standby, which cannot be written.', 'Name the primary in DATABASE_URL.'))
  if (server.encoding !== 'UTF8')
    findings.push(
      error(
        'encoding',
        `The encoding is ${server.encoding}.`,
        'Create the database with: encoding UTF8 template template0.',
      ),
    )
  return findings
}

function connectionsFinding({ max, used }: Server, needed: number): Finding {
  const found = `${used} of ${max} connections are in use; an instance opens up to ${needed}.`
  if (max - used >= needed) return ok('connections', found)
  const remedy = 'Raise max_connections or lower DATABASE_CONNECTIONS. During an upgrade, one instance more runs.'
  return warning('connections', `${found} Another instance may find none.`, remedy)
}

async function schemaFindings(client: Client, schemas: readonly CheckedSchema[], server: Server): Promise<Finding[]> {
  const findings: Finding[] = []
  const { rows } = await client.query<{ name: string; may_use: boolean; may_create: boolean; has_migrations: boolean }>(
    `select nspname as name, has_schema_privilege(oid, 'usage') as may_use, has_schema_privilege(oid, 'create') as may_create,
       exists (select from pg_class where relnamespace = pg_namespace.oid and relname = 'migrations') as has_migrations
     from pg_namespace where nspname = any($1)`,
    [schemas.map(({ name }) => name)],
  )
  for (const { name, migrations } of schemas) {
    const schema = rows.find((row) => row.name === name)
    if (schema === undefined) {
      findings.push(
        server.can_create
          ? ok(name, 'There is no schema yet; the first start creates it.')
          : error(
              name,
              `There is no schema ${name}, and ${server.user} may not create one.`,
              `create schema ${name} authorization "${server.user}"`,
            ),
      )
    } else if (!schema.may_use || !schema.may_create) {
      const remedy = `alter schema ${name} owner to "${server.user}"`
      findings.push(error(name, `${server.user} may not use the schema ${name} or create tables in it.`, remedy))
    } else findings.push(await appliedFinding(client, name, migrations, schema.has_migrations))
  }
  if (schemas.some(({ needsTrigrams }) => needsTrigrams)) findings.push(await trigramFinding(client))
  return findings
}

async function appliedFinding(
  client: Client,
  name: string,
  migrations: Record<string, Migration>,
  exists: boolean,
): Promise<Finding> {
  if (!exists) return migrationFinding(name, [], migrations)
  try {
    const { rows } = await client.query<AppliedMigration>(`select * from "${name}".migrations`)
    return migrationFinding(name, rows, migrations)
  } catch (cause) {
    const remedy = `Grant the user of DATABASE_URL all rights on the tables of the schema ${name}, or make it their owner.`
    return error(`${name} migrations`, `The tables cannot be read: ${(cause as Error).message}.`, remedy)
  }
}

async function trigramFinding(client: Client): Promise<Finding> {
  const { rows } = await client.query("select from pg_extension where extname = 'pg_trgm'")
  if (rows.length > 0) return ok('pg_trgm', 'Installed; tracks are found by an index.')
  const remedy = 'create extension pg_trgm; then create the index that the chapter "Upgrade" of docs/running.md names.'
  return warning('pg_trgm', 'Not installed: a search reads the texts of all tracks of an event.', remedy)
}
