import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { SqlValue, StatementResult } from './sqlite-messages.ts'

/**
 * Maximum number of prepared statements per connection. A service has about a hundred, plus some for lists of values.
 */
const CAPACITY = 256

type Prepared = { statement: StatementSync; columns: string[]; isChange: boolean }

type Statements = {
  /** Runs one statement. Throws what `node:sqlite` throws. */
  run(sql: string, parameters: readonly SqlValue[]): StatementResult
  /** Drops every prepared statement, after the schema has changed. */
  clear(): void
}

/** Prepares each SQL text once on this connection and runs it. The text used longest ago makes room for a new one. */
export function cachedStatements(database: DatabaseSync): Statements {
  const prepared = new LRUCache<string, Prepared>({ max: CAPACITY })

  function prepare(sql: string): Prepared {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const entry = compile(database, sql)
    prepared.set(sql, entry)
    return entry
  }

  return {
    run: (sql, parameters) => execute(prepare(sql), parameters as SqlValue[]),
    clear: () => prepared.clear(),
  }
}

function compile(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  const columns = columnNames(statement)
  // `incremental_vacuum` has no column but must be stepped through, which `all` does: `run` takes one step.
  return { statement, columns, isChange: columns.length === 0 && !/^\s*pragma\b/i.test(sql) }
}

function columnNames(statement: StatementSync): string[] {
  return statement.columns().map((column) => column.name)
}

function execute(entry: Prepared, parameters: SqlValue[]): StatementResult {
  if (entry.isChange) {
    return { columns: entry.columns, rows: [], changes: Number(entry.statement.run(...parameters).changes) }
  }
  const rows = entry.statement.all(...parameters) as unknown as SqlValue[][]
  // SQLite recompiles a statement after another process has changed the schema, so `select *` may have more columns.
  if (rows.length > 0 && rows[0].length !== entry.columns.length) entry.columns = columnNames(entry.statement)
  return { columns: entry.columns, rows, changes: rows.length }
}
