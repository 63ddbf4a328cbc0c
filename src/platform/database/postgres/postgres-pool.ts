import { Pool, type PoolClient, type PoolConfig, types } from 'pg'

export type PostgresOptions = {
  url: string
  /** The schema all unqualified names mean. */
  schema: string
  maxConnections: number
  /** Statements may take as long as they like. For migrations. */
  isPatient?: boolean
  /** A connection broke while nobody used it; the pool replaces it. */
  onLostConnection?: (error: Error) => void
}

/** A database that is gone has to be known before a client's own patience ends. */
const CONNECT_TIMEOUT_MS = 4_000
const STATEMENT_TIMEOUT_MS = 30_000
/** Beyond the server's own limit: for a server that vanished without a word, when no answer of any kind comes. */
const ANSWER_TIMEOUT_MS = 35_000
/** As on SQLite, where a transaction that nobody goes on with keeps everyone from writing. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000
const KEEP_ALIVE_DELAY_MS = 10_000

const BYTEA = 17
const INT8 = 20
const NUMERIC = 1700

/** @returns the settings of one connection, for a pool or for a single client. */
export function postgresConfig({ url, schema, isPatient = false }: PostgresOptions): PoolConfig {
  return {
    connectionString: url,
    application_name: schema,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
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

/** Opens a pool, which connects when it is first used, and again whenever a connection has been lost. */
export function openPostgresPool(options: PostgresOptions): Pool {
  const pool = new Pool({ ...postgresConfig(options), max: options.maxConnections, allowExitOnIdle: true })
  // Without a listener, a connection that breaks while it is idle, or between two queries of a transaction,
  // would end the process. Queries on it fail by themselves.
  pool.on('error', (error) => options.onLostConnection?.(error))
  pool.on('connect', (client: PoolClient) => client.on('error', () => {}))
  return pool
}

/** Values as SQLite gives them: int8 and sums as numbers (milliseconds since 1970 are safe), bytes as Uint8Array. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === BYTEA) return parseBytes
  }
  return types.getTypeParser(oid, format as 'text')
}

/** PostgreSQL's hexadecimal form, `\x0102`. */
function parseBytes(value: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(value.slice(2), 'hex')
  return new Uint8Array(buffer, byteOffset, byteLength)
}
