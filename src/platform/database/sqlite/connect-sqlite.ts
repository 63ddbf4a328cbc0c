import { closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { databaseUnavailable, diskFull, isDatabaseUnavailable, translateFailure } from '../database-failure.ts'
import type { GuardedInsert, InsertGuarded } from '../guarded-insert.ts'
import { NotedFailures } from '../noted-failures.ts'
import { queryTracer, type TracedDatabase, traceInserts } from '../trace-queries.ts'
import { copySqlite } from './copy-sqlite.ts'
import { nodeSqliteDialect, type SqliteConnections } from './node-sqlite-dialect.ts'
import { guardedStatements, packGuarded } from './sqlite-guarded-insert.ts'
import { openSqliteReader } from './sqlite-reader.ts'
import { estimateSqliteRows } from './sqlite-row-estimates.ts'
import { SqliteWriterThread } from './sqlite-writer-thread.ts'

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
