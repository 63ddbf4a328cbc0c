import {
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { translateFailure } from '../database-failure.ts'
import { statementNames } from './statement-names.ts'

/** A plan kept under a name no longer fits: the schema changed, or a connection pooler gave us another session. */
const STALE_STATEMENT_CODES = new Set(['0A000', '26000', '42P05'])

/** Kysely over `pg`: prepared statements by text, and failures of the database as UNAVAILABLE, from any query. */
export function postgresDialect(pool: Pool): PostgresDialect {
  const config = { pool: guardedPool(pool) }
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
  /** On a connection that is gone there is nothing to roll back, and the error it was called for must be seen. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

function guardedPool(pool: Pool): PostgresPool {
  const guards = new WeakMap<PoolClient, PostgresPoolClient>()
  const nameOf = statementNames()

  async function connect(): Promise<PostgresPoolClient> {
    try {
      const client = await pool.connect()
      // Kysely keeps its own connection for each client it is given, so one client always gets the same guard.
      const guard = guards.get(client) ?? guardedClient(client, nameOf)
      guards.set(client, guard)
      return guard
    } catch (error) {
      throw translateFailure(error)
    }
  }

  return { connect, end: () => pool.end(), options: pool.options }
}

function guardedClient(client: PoolClient, nameOf: (sql: string) => string | undefined): PostgresPoolClient {
  let isBroken = false

  async function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    try {
      return await client.query({ name: nameOf(sql), text: sql, values: parameters.map(exactNumber) })
    } catch (error) {
      const translated = translateFailure(error)
      if (translated !== error || STALE_STATEMENT_CODES.has((error as { code?: string }).code ?? '')) isBroken = true
      throw translated
    }
  }

  return {
    query: query as PostgresPoolClient['query'],
    // A connection that failed is closed rather than given to the next caller.
    release: () => client.release(isBroken),
  }
}

/** `pg` sends numbers as text, and JavaScript writes -0 as 0. */
function exactNumber(value: unknown): unknown {
  return Object.is(value, -0) ? '-0' : value
}
