import {
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { databaseUnavailable, isDatabaseUnreachable, NotedFailures, translateFailure } from './database-failure.ts'
import type { ConnectionGate } from './postgres-pool.ts'

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
