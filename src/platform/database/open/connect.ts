import { join } from 'node:path'
import type { Registry } from 'prom-client'
import type { Database } from '../database.ts'
import { connectSqlite } from '../sqlite/connect-sqlite.ts'

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
  const { connectPostgres } = await import('../postgres/connect-postgres.ts')
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
