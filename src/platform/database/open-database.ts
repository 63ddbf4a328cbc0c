import { join } from 'node:path'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Registry } from 'prom-client'
import { addServiceGauge } from '../basics/metrics.ts'
import { connectSqlite } from './connect-sqlite.ts'
import type { Database } from './database.ts'
import { type Migration, migrate, type UpgradeOptions } from './migrate.ts'
import { copiesOf, copyBeforeUpgrade } from './upgrade-copies.ts'

/** Settings that say where the databases of this process are. */
export type DatabaseSettings = {
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  logger: { info(details: object, message: string): void; warn(details: object, message: string): void }
  /** Gets metrics of the connections; none are kept for a program that ends. */
  registry?: Registry
  /** Lifts the time limit of statements. */
  isPatient?: boolean
  /** Version of this program. */
  programVersion?: string
  /** Copies an SQLite database that is used before it is upgraded; the default. */
  copyBeforeUpgrade?: boolean
}

/** Opens a service's database by its name and migrates it. Rejects as `connectDatabase` and `migrate` do. */
export async function openDatabase<Tables>(
  settings: DatabaseSettings,
  name: string,
  migrations: Record<string, Migration>,
): Promise<Database<Tables>> {
  const { databaseUrl, databaseConnections, dataDir, logger, registry, isPatient } = settings
  const database = await connectDatabase<Tables>({
    url: databaseUrl,
    dataDir,
    name,
    logger,
    maxConnections: databaseConnections,
    registry,
    isPatient,
  })
  try {
    await migrate(database, migrations, upgradeOptions(settings, name, database.embedded))
    if (registry !== undefined) addDatabaseMetrics(registry, name, database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function upgradeOptions(
  { dataDir, logger, programVersion, copyBeforeUpgrade: isCopied = true }: DatabaseSettings,
  name: string,
  embedded: Database['embedded'],
): UpgradeOptions {
  if (embedded === undefined) return { programVersion }
  return {
    programVersion,
    findCopies: () => copiesOf(dataDir, name),
    async beforeUpgrade(fromVersion) {
      if (!isCopied) return
      await copyBeforeUpgrade({ ...embedded, name, dataDir, fromVersion, nowMs: Date.now(), logger })
    },
  }
}

type ConnectOptions = {
  /** `postgres://…`, or empty for SQLite in `dataDir`. */
  url: string
  dataDir: string
  /** Name of the service's file or schema: lower-case letters, digits and `_`. */
  name: string
  /** Receives a warning for each lost connection. Queries on it fail. */
  logger?: { warn(details: object, message: string): void }
  /** Connections of this instance to PostgreSQL, in addition to one for notices. */
  maxConnections?: number
  /** Gets metrics of the connections to PostgreSQL. */
  registry?: Registry | undefined
  /** Lifts the time limit of statements, for programs that no client waits for. */
  isPatient?: boolean
}

/** A transaction takes a connection for a few milliseconds, and the instances share the server's hundred or so. */
const DEFAULT_MAX_CONNECTIONS = 16

/**
 * Opens a service's database and creates its file or schema if it does not exist. Rejects with UNAVAILABLE if the
 * database cannot be reached or opened. Once open, it reconnects automatically.
 */
export async function connectDatabase<Tables = unknown>(options: ConnectOptions): Promise<Database<Tables>> {
  const { url, dataDir, name, logger, maxConnections = DEFAULT_MAX_CONNECTIONS, registry, isPatient } = options
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`${name} is not a valid name for a database`)
  if (url === '') return connectSqlite(join(dataDir, `${name}.sqlite`))
  const { connectPostgres } = await import('./connect-postgres.ts')
  return connectPostgres({
    url,
    schema: name,
    maxConnections,
    registry,
    isPatient,
    onUnreadNotice: (error, channel) => logger?.warn({ err: error, channel }, 'a notice could not be read'),
    onLostConnection: (error) => logger?.warn({ err: error, database: name }, 'lost a connection to the database'),
  })
}

/** Time for which an estimate is good, however often it is scraped. */
const KEEP_MS = 5 * 60_000

type Sizes = { bytes: number; rows: Map<string, number> }

/** Registers the size of a service's database. On PostgreSQL, all instances tell the same. */
export function addDatabaseMetrics(
  registry: Registry,
  service: string,
  database: Pick<Database, 'sizeBytes' | 'estimateRows'>,
): void {
  const sizes = keptFor(KEEP_MS, async () => {
    const rows = await database.estimateRows()
    return { rows, bytes: await database.sizeBytes() }
  })
  const bytes = { name: 'database_bytes', help: 'Size of the tables, indexes and log of a service.' }
  addServiceGauge(registry, service, bytes, async () => [{ value: (await sizes()).bytes }])
  const rows = { name: 'database_rows', help: 'Rows of a table, as estimated in the last minutes.' }
  addServiceGauge(registry, service, { ...rows, labelNames: ['table'] }, async () =>
    [...(await sizes()).rows].map(([table, value]) => ({ labels: { table }, value })),
  )
}

/** Reads at most once in a time. A failure is not kept. */
function keptFor(keepMs: number, read: () => Promise<Sizes>): () => Promise<Sizes> {
  let kept: Promise<Sizes> | undefined
  let readAtMs = 0
  return () => {
    if (kept !== undefined && performance.now() - readAtMs < keepMs) return kept
    readAtMs = performance.now()
    const reading = read()
    kept = reading
    reading.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading
  }
}

/** Makes a database in place of a real one, for commands that are described and not run. It opens nothing. */
export function noDatabase<Tables>(): Database<Tables> {
  return {
    db: new Kysely<Tables>({
      dialect: {
        createDriver: () => new NoDriver(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createAdapter: () => new SqliteAdapter(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    }),
    kind: 'none',
    shardOf: undefined,
    check: refuse,
    checkWrite: refuse,
    maintain: refuse,
    sizeBytes: refuse,
    estimateRows: refuse,
    embedded: undefined,
    notices: undefined,
    guardedInsert: () => refuse,
    exclusively: refuse,
    close: async () => {},
  }
}

class NoDriver extends DummyDriver {
  override acquireConnection = refuse
}

async function refuse(): Promise<never> {
  throw new Error('There is no database')
}
