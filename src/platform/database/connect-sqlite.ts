import { closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs'
import { chmod, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Database, GuardedInsert, InsertGuarded } from './database.ts'
import {
  databaseUnavailable,
  diskFull,
  isDatabaseUnavailable,
  NotedFailures,
  translateFailure,
} from './database-failure.ts'
import { nodeSqliteDialect, type SqliteConnections } from './sqlite-dialect.ts'
import { guardedStatements, packGuarded } from './sqlite-messages.ts'
import { openSqliteReader } from './sqlite-reader.ts'
import { SqliteWriterThread } from './sqlite-writer-thread.ts'
import { queryTracer, type TracedDatabase, traceInserts } from './trace-queries.ts'

/** Pages released at a time, 16 MiB, so that writes are not blocked for long. */
const VACUUM_PAGES = 4_096
const MAX_VACUUM_STEPS = 64

/** Room below which the disk counts as full: the log alone grows to more than that between two write-backs. */
const LEAST_FREE_BYTES = 1_048_576

/** Maximum wait for another process that migrates the same file. Each attempt also waits for the lock. */
const EXCLUSIVE_ATTEMPTS = 30

/** Opens the database in one file and creates it if it does not exist. Rejects with the reason if that fails. */
export async function connectSqlite<Tables>(file: string): Promise<Database<Tables>> {
  createPrivately(file)
  const writer = new SqliteWriterThread(file)
  const connections: SqliteConnections = await openConnections(file, writer)
  let closed: Promise<void> | undefined
  const traced: TracedDatabase = { system: 'sqlite', name: basename(file, '.sqlite') }
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(connections), log: queryTracer(traced) })
  return {
    db,
    kind: 'SQLite',
    shardOf: undefined,
    embedded: { file, copyTo: (target) => copySqlite(file, target) },
    notices: undefined,
    check: async () => {
      await sql`select 1 from sqlite_master limit 1`.execute(db)
      await sql`pragma data_version`.execute(db)
    },
    checkWrite: () => checkWrite(db, file, connections.failures),
    maintain: () => maintain(db),
    sizeBytes: async () => (await sizeOf(file)) + (await sizeOf(`${file}-wal`)),
    estimateRows: () => estimateSqliteRows(db),
    guardedInsert: (insert) => traceInserts(traced, guardedInsert(connections, insert)),
    exclusively: (work) => whenFree(() => db.transaction().execute(work)),
    close: () => {
      closed ??= close(connections)
      return closed
    },
  }
}

function guardedInsert(connections: SqliteConnections, insert: GuardedInsert): InsertGuarded {
  const statements = guardedStatements(insert)
  return async (groups) => {
    if (connections.isClosing) throw databaseUnavailable('The database is being closed.')
    try {
      return await connections.writer.insertGuarded(packGuarded(statements, groups))
    } catch (error) {
      throw connections.failures.translated(error)
    }
  }
}

async function close(connections: SqliteConnections): Promise<void> {
  connections.isClosing = true
  connections.reader.close()
  await connections.writer.close(() => connections.openSessions.size > 0)
}

async function openConnections(file: string, writer: SqliteWriterThread): Promise<SqliteConnections> {
  try {
    // The writer opens first: it recovers the log of a killed process, which a reader cannot do.
    await writer.start()
    const reader = openSqliteReader(file)
    return { reader, writer, openSessions: new Set(), failures: new NotedFailures(), lastSession: 0, isClosing: false }
  } catch (error) {
    await writer.close(() => false)
    throw translateFailure(error)
  }
}

/** Restricts the file to its owner. SQLite gives the log the same mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const descriptor = openSync(file, 'a', 0o600)
  fchmodSync(descriptor, 0o600)
  closeSync(descriptor)
}

/** Writes the first page as it is, which SQLite does for a version that is set again, and syncs the log. */
async function checkWrite<Tables>(db: Kysely<Tables>, file: string, failures: NotedFailures): Promise<void> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  await sql`pragma user_version = ${sql.lit(rows[0].user_version)}`.execute(db)
  const { bavail, bsize } = await statfs(dirname(file))
  // The page may have been written over one of the log, where a new one would not fit.
  if (bavail * bsize < LEAST_FREE_BYTES) throw diskFull()
  failures.require()
}

async function maintain<Tables>(db: Kysely<Tables>): Promise<void> {
  for (let step = 0; step < MAX_VACUUM_STEPS; step++) {
    const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db)
    if (rows[0].freelist_count === 0) break
    await sql`pragma incremental_vacuum(${sql.lit(VACUUM_PAGES)})`.execute(db)
  }
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch {
    return 0
  }
}

async function whenFree<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      const isBusy = isDatabaseUnavailable(error) && (error.cause as { errcode?: number }).errcode === 5
      if (!isBusy || attempts === EXCLUSIVE_ATTEMPTS) throw error
      await wait(100)
    }
  }
}

/** Pages copied between two turns of other work, 16 MiB. */
const PAGES_PER_STEP = 4_096

/**
 * Copies an SQLite database, which may be in use, into a single file that shows one moment. When this resolves, the
 * copy is on disk under its name; until then, there is at most a file whose name ends with `.part`. Writes by another
 * connection start the copy again, so a busy database should be locked or read by `VACUUM INTO`.
 * @throws what `node:sqlite` and the file system throw
 */
async function copySqlite(source: string, target: string): Promise<void> {
  const folder = dirname(target)
  const draft = `${target}.part`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const remove = () => Promise.all([draft, `${draft}-journal`].map((file) => rm(file, { force: true })))
  await remove()
  const database = new DatabaseSync(source, { readOnly: true })
  try {
    await backup(database, draft, { rate: PAGES_PER_STEP })
    await chmod(draft, 0o600)
    await syncToDisk(draft)
    await rename(draft, target)
    await syncToDisk(folder)
  } catch (error) {
    await remove()
    throw error
  } finally {
    database.close()
  }
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}

/** Rows up to which a table is counted, which takes less than a millisecond. */
const COUNTED_ROWS = 5_000
/** The same for a table without row ids, of which more cannot be known without reading all of it. */
const COUNTED_KEYS = 50_000
/** Places of a larger table that are looked at, and the rows at each. */
const SAMPLES = 32
const ROWS_PER_SAMPLE = 16

/**
 * Estimates the rows of each table. SQLite keeps no number of rows, and counting them reads an index as a whole. So
 * small tables are counted, and of larger ones a few places show how densely the row ids are used.
 */
async function estimateSqliteRows<Tables>(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ name: string; wr: number }>`
    select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'
    order by name`.execute(db)
  const found = new Map<string, number>()
  for (const { name, wr: hasNoRowIds } of tables) {
    const limit = hasNoRowIds ? COUNTED_KEYS : COUNTED_ROWS
    const counted = await countUpTo(db, name, limit)
    found.set(name, hasNoRowIds || counted < limit ? counted : Math.max(limit, await estimateByRowIds(db, name)))
  }
  return found
}

async function countUpTo<Tables>(db: Kysely<Tables>, table: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${sql.table(table)} limit ${limit})`.execute(db)
  return rows[0].count
}

async function estimateByRowIds<Tables>(db: Kysely<Tables>, name: string): Promise<number> {
  const table = sql.table(name)
  // In one query without the inner ones, SQLite would read the whole table.
  const { rows } = await sql<{ first: number; last: number }>`
    select (select min(rowid) from ${table}) as first, (select max(rowid) from ${table}) as last`.execute(db)
  const [{ first, last }] = rows
  const width = (last - first + 1) / SAMPLES
  let estimate = 0
  for (let at = 0; at < SAMPLES; at++) {
    const from = Math.ceil(first + at * width)
    const { rows: sample } = await sql<{ count: number; last: number | null }>`
      select count(*) as count, max(id) as last
      from (select rowid as id from ${table} where rowid >= ${from} order by rowid limit ${ROWS_PER_SAMPLE})`.execute(
      db,
    )
    const [{ count, last: reached }] = sample
    if (reached !== null) estimate += (count / (reached - from + 1)) * width
  }
  return Math.round(estimate)
}
