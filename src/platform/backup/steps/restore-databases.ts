import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { syncFolder } from '../../blobs/folder-tree.ts'
import { fillSqlite, migrateSqlite } from '../../database/snapshots/fill-sqlite.ts'
import { migrationsUntil } from '../../database/snapshots/stored-version.ts'
import { BackupError } from '../backup-error.ts'
import type { Manifest } from '../contents/manifest.ts'
import type { BegunRestore } from '../contents/unfinished-restore.ts'
import type { BackupFolder } from '../folder/backup-folder.ts'
import type { Installation, KeptData } from '../kept-data.ts'
import { copyStoredSqlite, type StoredDatabase, storedTexts } from './stored-texts.ts'

/** A stored database, and what its service says of it. */
export type Part = StoredDatabase & { data: KeptData }

/**
 * Requires that this program knows the databases of a snapshot, and their versions.
 * @throws BackupError that names the one it does not
 */
export function partsOf(
  installation: Installation,
  folder: BackupFolder,
  snapshot: string,
  manifest: Manifest,
): Part[] {
  return manifest.databases.map((database) => {
    const data = installation.kept.find(({ name }) => name === database.name)
    if (data === undefined)
      throw new BackupError(`${snapshot} has a database ${database.name}, which this program does not know`)
    try {
      migrationsUntil(data.migrations, database)
    } catch (cause) {
      throw new BackupError((cause as Error).message, { cause })
    }
    return { folder, snapshot, database, data }
  })
}

/** Fills the SQLite files of an installation, migrated to this version. They get their names when all are whole. */
export async function restoreToSqlite(
  dataDir: string,
  parts: readonly Part[],
  engine: Manifest['engine'],
  { staging }: BegunRestore,
): Promise<void> {
  for (const { data, ...stored } of parts) {
    if (engine === 'SQLite') await copyStoredSqlite(stored, data.migrations, staging)
    else await fillSqlite(staging, storedTexts(stored, engine, staging), data.migrations)
    await migrateSqlite(staging, data.name, data.migrations, async ({ db }) => {
      for (const table of data.endedByRestore) await sql`delete from ${sql.table(table)}`.execute(db)
    })
    await syncFile(join(staging, `${data.name}.sqlite`))
  }
  for (const { data } of parts) {
    const file = join(dataDir, `${data.name}.sqlite`)
    // A former attempt may have come this far. Nothing has used its files, because a server does not start meanwhile.
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
    await rename(join(staging, `${data.name}.sqlite`), file)
  }
  await syncFolder(dataDir)
}

/** Fills the schemas of an installation, migrated to this version, all in one transaction. */
export async function restoreToPostgres(
  url: string,
  parts: readonly Part[],
  engine: Manifest['engine'],
  { staging, id }: BegunRestore,
): Promise<void> {
  const { fillPostgres } = await import('../../database/snapshots/fill-postgres.ts')
  if (engine === 'SQLite')
    for (const { data, ...stored } of parts) await copyStoredSqlite(stored, data.migrations, staging)
  const databases = parts.map(({ data, ...stored }) => ({
    source: storedTexts(stored, engine, staging),
    migrations: data.migrations,
    emptied: data.endedByRestore,
  }))
  await fillPostgres(url, databases, markOf(id))
}

/** Returns the text by which a database server remembers the restore that made a schema. */
export function markOf(id: string): string {
  return `restored by ${id}`
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
