import { createReadStream, existsSync } from 'node:fs'
import { rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { connectSqlite } from '../connect-sqlite.ts'
import type { Database } from '../database.ts'
import { type DatabaseSnapshot, MIGRATIONS_TABLE, type SnapshotTable } from './snapshot.ts'

/** Pages copied at a time, 4 MiB. */
const PAGES_PER_STEP = 1_024
/** Wait for a lock, which another process holds only while it recovers or removes the log. */
const BUSY_TIMEOUT_MS = 10_000
/** Space that a copy leaves to the running server on the disk they share. */
const SPARE_BYTES = 268_435_456
const READ_BYTES = 1_048_576

/**
 * Copies the databases of a data folder one after the other, each as it is at one moment, and
 * passes the copy on. Copies are made in `scratch` by the online backup of SQLite and removed
 * afterwards. Names without a database are left out.
 */
export async function eachSqliteSnapshot(
  { dataDir, scratch, names }: { dataDir: string; scratch: string; names: readonly string[] },
  use: (snapshot: DatabaseSnapshot) => Promise<void>,
): Promise<void> {
  for (const name of names) {
    const file = join(dataDir, `${name}.sqlite`)
    if (!existsSync(file)) continue
    const copy = join(scratch, `${name}.sqlite`)
    await requireSpace(file, scratch)
    await copySqlite(file, copy)
    try {
      await passCopyOn(name, scratch, use)
    } finally {
      for (const suffix of ['', '-wal', '-shm']) await rm(`${copy}${suffix}`, { force: true })
    }
  }
}

/**
 * Copies a database that others are writing to. The transaction pins one moment: without it, SQLite
 * would begin again each time another process writes between two steps, and perhaps never end. Others
 * go on writing meanwhile; their log grows.
 */
async function copySqlite(file: string, copy: string): Promise<void> {
  // Opened for writing, because only such a connection can recover the log of a killed process.
  const source = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    source.exec('pragma query_only = on; begin')
    source.prepare('select count(*) from sqlite_master').get()
    await backup(source, copy, { rate: PAGES_PER_STEP })
    source.exec('commit')
  } finally {
    source.close()
  }
}

/**
 * A disk that the copy fills would stop the server.
 * @throws Error that states the needed space
 */
async function requireSpace(file: string, scratch: string): Promise<void> {
  const { bavail, bsize } = await statfs(scratch)
  const neededBytes = (await stat(file)).size + SPARE_BYTES
  if (bavail * bsize >= neededBytes) return
  throw new Error(
    `A copy of ${file} is made in the same folder for a moment, which needs ${neededBytes} bytes of free space; ` +
      `there are ${bavail * bsize}`,
  )
}

async function passCopyOn(name: string, folder: string, use: (snapshot: DatabaseSnapshot) => Promise<void>) {
  const database: Database = await connectSqlite(join(folder, `${name}.sqlite`))
  try {
    const tables = describeTables(join(folder, `${name}.sqlite`))
    if (tables === undefined) return
    await use({
      name,
      ...tables,
      db: database.db,
      files: [
        {
          name: `${name}.sqlite`,
          table: undefined,
          read: async () => createReadStream(join(folder, `${name}.sqlite`), { highWaterMark: READ_BYTES }),
        },
      ],
    })
  } finally {
    await database.close()
  }
}

/** Describes the tables of a database; undefined if it was never migrated. */
export function describeTables(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const names = tableNames(database)
    if (!names.includes(MIGRATIONS_TABLE)) return undefined
    const migrations = database.prepare(`select name from ${MIGRATIONS_TABLE} order by name`).all()
    return {
      migrations: migrations.map(({ name }) => String(name)),
      tables: names.filter((name) => name !== MIGRATIONS_TABLE).map((name) => describeTable(database, name)),
    }
  } finally {
    database.close()
  }
}

function tableNames(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite~_%' escape '~' order by name",
    )
    .all()
  return rows.map(({ name }) => String(name))
}

function describeTable(database: DatabaseSync, name: string): SnapshotTable {
  const table = quoteName(name)
  const columns = database.prepare('select name from pragma_table_info(?) order by cid').all(name)
  const [{ rows }] = database.prepare(`select count(*) as rows from ${table}`).all()
  return { name, columns: columns.map((column) => String(column.name)), rows: Number(rows) }
}

/** Quotes a name for SQL, on both engines. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
