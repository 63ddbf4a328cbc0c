import { createHmac } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import { Client, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Registry } from 'prom-client'
import type { Secrets } from '../basics/secrets.ts'
import { databaseUnavailable, isDatabaseUnreachable, NotedFailures, translateFailure } from './database-failure.ts'

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
/** Every request is answered within ten seconds, even if its queries hang. */
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

/** Field that the types of `pg` leave out. */
type ClientWithStream = PoolClient & { connection: { stream: { destroy(): void } } }

/**
 * Shuts the connections to a database that does not answer. TCP reports neither a frozen server nor a cut line, and
 * every query would wait for its own time limit, one after the other. While the gate is shut, queries fail at once.
 */
export class ConnectionGate {
  readonly #clients = new Set<PoolClient>()
  #isShut = false

  /** Has the gate shut the connections of this pool, too. */
  watch(pool: Pool): void {
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** @throws UNAVAILABLE while the gate is shut */
  requireOpen(): void {
    if (this.#isShut) throw databaseUnavailable()
  }

  /** Breaks off all connections and their queries. A commit under way may or may not be carried out. */
  shut(): void {
    this.#isShut = true
    for (const client of this.#clients) (client as ClientWithStream).connection.stream.destroy()
  }

  open(): void {
    this.#isShut = false
  }
}

/** Name of the file in the data folder. */
const FILE = 'reached-database'

/** Memory of having reached the database with these settings, which a start needs while the database cannot tell. */
export type KnownDatabase = ReturnType<typeof knownDatabase>

/** @param secrets key the hash that stands for the address, which contains a password */
export function knownDatabase(url: string, dataDir: string, secrets: Secrets) {
  const path = join(dataDir, FILE)
  // A start with a new secret, while the database is away, knows the mark of the former one.
  const marks = secrets.map((secret) => createHmac('sha256', secret).update(url).digest('hex'))
  return {
    /** Tells whether a start with this address has succeeded before, so that the address is right. */
    isKnown: (): Promise<boolean> =>
      readFile(path, 'utf8').then(
        (known) => marks.includes(known),
        () => false,
      ),

    /** Remembers that the database was reached. Rejects if the data folder cannot be written. */
    async remember(): Promise<void> {
      if ((await readFile(path, 'utf8').catch(() => '')) === marks[0]) return
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await writeFile(path, marks[0], { mode: 0o600 })
    },

    /** Connects and disconnects. Rejects with UNAVAILABLE if the database cannot be used. */
    async probe(): Promise<void> {
      const client = new Client(postgresConfig({ url, schema: 'public', maxConnections: 1 }))
      client.on('error', () => {})
      try {
        await client.connect()
      } catch (error) {
        throw translateFailure(error)
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}

/** Error codes of a prepared plan that no longer fits: the schema changed, or a connection pooler switched sessions. */
const STALE_STATEMENT_CODES = new Set(['0A000', '26000', '42P05'])

/** Kysely dialect over `pg` that prepares statements by text and turns failures of the database into UNAVAILABLE. */
export function postgresDialect(pool: Pool, gate: ConnectionGate, failures = new NotedFailures()): PostgresDialect {
  const config = { pool: guardedPool(pool, gate, failures) }
  return new GuardedPostgresDialect(config)
}

class GuardedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new GuardedPostgresDriver(this.#config)
  }
}

class GuardedPostgresDriver extends PostgresDriver {
  /** Ignores failures: a lost connection has nothing to roll back, and the original error must be reported. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

function guardedPool(pool: Pool, gate: ConnectionGate, failures: NotedFailures): PostgresPool {
  const guards = new WeakMap<PoolClient, PostgresPoolClient>()
  const nameOf = statementNames()

  async function connect(): Promise<PostgresPoolClient> {
    gate.requireOpen()
    try {
      const client = await pool.connect()
      // Kysely keeps one connection for each client, so a client always gets the same wrapper.
      const guard = guards.get(client) ?? guardedClient(client, nameOf, failures)
      guards.set(client, guard)
      return guard
    } catch (error) {
      throw translateFailure(error)
    }
  }

  return { connect, end: () => pool.end(), options: pool.options }
}

function guardedClient(
  client: PoolClient,
  nameOf: (sql: string) => string | undefined,
  failures: NotedFailures,
): PostgresPoolClient {
  let isBroken = false
  let isSilent = false

  async function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    // A rollback would wait behind the query that got no answer.
    if (isSilent) throw databaseUnavailable()
    try {
      return await client.query({ name: nameOf(sql), text: sql, values: parameters.map(exactNumber) })
    } catch (error) {
      const translated = failures.translated(error)
      if (translated !== error || STALE_STATEMENT_CODES.has((error as { code?: string }).code ?? '')) isBroken = true
      isSilent = isDatabaseUnreachable(translated)
      throw translated
    }
  }

  return {
    query: query as PostgresPoolClient['query'],
    // A failed connection is closed instead of being reused.
    release: () => client.release(isBroken),
  }
}

/** `pg` sends numbers as text, and JavaScript formats -0 as 0. */
function exactNumber(value: unknown): unknown {
  return Object.is(value, -0) ? '-0' : value
}

/**
 * Maximum number of names. Every connection keeps its own copy of each plan on the server for
 * its lifetime, some tens of kilobytes each.
 */
const MAX_NAMES = 300

/** Longer texts are lists of values of varying length. Their plans would rarely be used again. */
const MAX_TEXT_LENGTH = 4_000

/** A plan suits one pattern, not the next: some match every row, others none. */
const PATTERN = / like \$/

/**
 * Names SQL texts so that PostgreSQL parses and plans each once per connection. A text gets a name on its second use,
 * up to the maximum, and keeps it: a name must never stand for two texts on one connection.
 */
export function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= MAX_NAMES || sql.length > MAX_TEXT_LENGTH) return known
    if (PATTERN.test(sql)) return undefined
    if (!seenOnce.delete(sql)) {
      if (seenOnce.size >= MAX_NAMES) seenOnce.clear()
      seenOnce.add(sql)
      return undefined
    }
    const name = `q${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
