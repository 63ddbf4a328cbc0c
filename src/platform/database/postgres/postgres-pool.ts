import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Registry } from 'prom-client'

export type PostgresOptions = {
  url: string
  /** The schema of unqualified names. */
  schema: string
  maxConnections: number
  /** Gets metrics of the connections. */
  registry?: Registry | undefined
  /** Lifts the time limit of statements, for migrations and the admin command. */
  isPatient?: boolean
  /** Called when an idle connection is lost. The pool replaces it. */
  onLostConnection?: (error: Error) => void
  /** Called when a listener fails on a notice, which is then as good as lost. */
  onUnreadNotice?: (error: Error, channel: string) => void
}

/** Time limit for connecting, and for waiting for a connection of the pool. */
const CONNECT_TIMEOUT_MS = 3_000
/** The same for migrations and the admin command, which nobody waits for. */
const PATIENT_CONNECT_TIMEOUT_MS = 10_000
/** A request is answered within ten seconds, whatever happens to its queries. */
const STATEMENT_TIMEOUT_MS = 6_500
/** Longer than the server's own limit, for a connection that was cut without either side noticing. */
const ANSWER_TIMEOUT_MS = 7_000
/** Time limit of idle transactions: an instance that froze or was cut off holds its locks this long. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
const KEEP_ALIVE_DELAY_MS = 10_000

const BYTEA = 17
const INT8 = 20
const NUMERIC = 1700

/** Returns the settings of a connection, for a pool or a single client. */
export function postgresConfig({ url, schema, isPatient = false }: PostgresOptions): PoolConfig {
  return {
    connectionString: url,
    application_name: schema,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: isPatient ? PATIENT_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: { getTypeParser },
    ...(isPatient
      ? {}
      : {
          statement_timeout: STATEMENT_TIMEOUT_MS,
          query_timeout: ANSWER_TIMEOUT_MS,
          idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
        }),
  }
}

/** Opens a pool that connects on first use and replaces lost connections. */
export function openPostgresPool(options: PostgresOptions): Pool {
  const pool = new Pool({ ...postgresConfig(options), max: options.maxConnections, allowExitOnIdle: true })
  // Without a listener, a connection that breaks while it is idle, or between two queries of a transaction,
  // would end the process. Queries on it fail on their own.
  pool.on('error', (error) => options.onLostConnection?.(error))
  pool.on('connect', (client: PoolClient) => client.on('error', () => {}))
  return pool
}

/** Converts values as SQLite does: int8 and sums to numbers (milliseconds since 1970 fit), bytes to Uint8Array. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === BYTEA) return parseBytes
  }
  return types.getTypeParser(oid, format as 'text')
}

/** Parses PostgreSQL's hexadecimal form, `\x0102`. */
function parseBytes(value: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(value.slice(2), 'hex')
  return new Uint8Array(buffer, byteOffset, byteLength)
}
