import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Database } from '../../database/database.ts'
import { fillSqlite, migrateSqlite } from '../../database/snapshots/fill-sqlite.ts'
import { BackupError } from '../backup-error.ts'
import type { Manifest } from '../contents/manifest.ts'
import type { KeptData } from '../kept-data.ts'
import type { Part } from './restore-databases.ts'
import { copyStoredSqlite, type StoredDatabase, storedTexts } from './stored-texts.ts'

/**
 * Fills a temporary SQLite file in `scratch` with a database of a snapshot, as a restore would, has SQLite check it,
 * migrates it to this version, and passes it on.
 * @throws BackupError if it cannot be filled, and what migrations and `use` throw
 */
export async function withStoredCopy(
  { data, ...stored }: Part,
  engine: Manifest['engine'],
  scratch: string,
  use: (database: Database) => Promise<void>,
): Promise<void> {
  try {
    await fill(stored, engine, data, scratch).catch(fail)
    await migrateSqlite(scratch, data.name, data.migrations, use)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(join(scratch, `${data.name}.sqlite${suffix}`), { force: true })
  }
}

function fail(cause: Error): never {
  throw cause instanceof BackupError ? cause : new BackupError(cause.message, { cause })
}

async function fill(
  stored: StoredDatabase,
  engine: Manifest['engine'],
  { name, migrations }: KeptData,
  scratch: string,
) {
  if (engine === 'PostgreSQL') return await fillSqlite(scratch, storedTexts(stored, engine, scratch), migrations)
  await copyStoredSqlite(stored, migrations, scratch)
  const database = new DatabaseSync(join(scratch, `${name}.sqlite`), { readOnly: true })
  try {
    const findings = database
      .prepare('pragma integrity_check(20)')
      .all()
      .map((row) => String(row.integrity_check))
    if (findings.join() !== 'ok') throw new Error(`${name} is damaged: ${findings.join('; ')}`)
  } finally {
    database.close()
  }
}
