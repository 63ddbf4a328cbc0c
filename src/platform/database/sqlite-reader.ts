import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { SqlValue, StatementResult } from './sqlite-messages.ts'

/** A connection that reads on the calling thread. Each statement sees everything committed before it. */
export type SqliteReader = ReturnType<typeof openSqliteReader>

/** Opens a reader on a file that exists. Throws what `node:sqlite` throws. */
export function openSqliteReader(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  applyReaderPragmas(database)
  const statements = cachedStatements(database)
  return {
    run: (sql: string, parameters: readonly unknown[]): StatementResult =>
      statements.run(sql, parameters as readonly SqlValue[]),
    forgetStatements: (): void => statements.clear(),
    close: (): void => {
      if (database.isOpen) database.close()
    },
  }
}

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

/** Time that the writer waits for another process that writes the same file, such as an admin command. */
const WRITER_BUSY_TIMEOUT_MS = 10_000

/**
 * Time that a reader waits for a lock. It meets one only while the log is recovered or removed, which takes
 * milliseconds. Short, because it waits on the calling thread.
 */
const READER_BUSY_TIMEOUT_MS = 1_000

/**
 * Pages in the log, 4 MiB of them, after which it is written back into the file: SQLite's own default. Four times as
 * many are a few per cent faster where the same pages change often, and leave a log larger than many a database.
 */
const WRITE_BACK_PAGES = 1_000

/** Size to which the log is truncated after a burst. Otherwise SQLite reuses it from its start. */
const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024

// The file is not mapped into memory: a read error of the disk would then end the process instead of one query.

/** Page caches, in KiB. Blobs pass through them, so they hold a few thousand rows' worth of index and little else. */
const WRITER_CACHE_KIB = 16_384
const READER_CACHE_KIB = 32_768

/**
 * Settings of the one connection that writes. FULL makes a commit wait for its fsync, in WAL mode too.
 * `auto_vacuum` acts on a new file only and has to come before WAL, which writes the first page. `secure_delete`
 * overwrites deleted text with zeros. It costs the writer of small batches no measurable time, which is spent on
 * syncing. The value `fast` would leave text in free pages until they are released.
 */
export function applyWriterPragmas(database: DatabaseSync): void {
  database.exec(`
    pragma busy_timeout = ${WRITER_BUSY_TIMEOUT_MS};
    pragma auto_vacuum = incremental;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma secure_delete = on;
    pragma journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES};
    pragma wal_autocheckpoint = ${WRITE_BACK_PAGES};
    pragma cache_size = ${-WRITER_CACHE_KIB};
    pragma temp_store = memory;
  `)
}

/** Settings of a connection that only reads. */
function applyReaderPragmas(database: DatabaseSync): void {
  database.exec(`
    pragma busy_timeout = ${READER_BUSY_TIMEOUT_MS};
    pragma query_only = on;
    pragma cache_size = ${-READER_CACHE_KIB};
    pragma temp_store = memory;
  `)
}
