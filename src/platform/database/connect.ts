import { join } from 'node:path'
import type { Database } from './database.ts'
import { connectPostgres } from './postgres/connect-postgres.ts'
import { connectSqlite } from './sqlite/connect-sqlite.ts'

export type { Change, Database } from './database.ts'

export type ConnectOptions = {
  /** `postgres://…`, or empty for SQLite in `dataDir`. */
  url: string
  dataDir: string
  /** The service's own name: of its file, or of its schema. Lower-case letters, digits and `_`. */
  name: string
  /** Told of connections that broke; queries on them have failed by themselves. */
  logger?: { warn(details: object, message: string): void }
  /** Connections of this instance to PostgreSQL, besides one for notices. */
  maxConnections?: number
}

/** A transaction keeps a connection for a few milliseconds, and a server shares some hundred among its instances. */
const DEFAULT_MAX_CONNECTIONS = 16

/**
 * Opens a service's database, creating its file or its schema when it is not there.
 * Rejects with UNAVAILABLE when it cannot be reached or opened; afterwards it comes back by itself.
 */
export async function connectDatabase<Tables = unknown>(options: ConnectOptions): Promise<Database<Tables>> {
  const { url, dataDir, name, logger, maxConnections = DEFAULT_MAX_CONNECTIONS } = options
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`A database cannot be called ${name}`)
  if (url === '') return connectSqlite(join(dataDir, `${name}.sqlite`))
  return connectPostgres({
    url,
    schema: name,
    maxConnections,
    onLostConnection: (error) => logger?.warn({ err: error, database: name }, 'A connection to the database was lost'),
  })
}
