import { join } from 'node:path'
import type { Migration } from '../../database/migrate.ts'
import { requireOwnSchema } from '../../database/snapshots/require-own-schema.ts'
import { describeTables } from '../../database/snapshots/sqlite-snapshot.ts'
import { migrationsUntil, requireSameColumns, requireSameRows } from '../../database/snapshots/stored-version.ts'
import { type TableTexts, textsOfSqlite } from '../../database/snapshots/table-texts.ts'
import { BackupError } from '../backup-error.ts'
import { type Manifest, type ManifestDatabase, snapshotPath } from '../contents/manifest.ts'
import { unpack } from '../contents/packed-file.ts'
import { type BackupFolder, copyOut } from '../folder/backup-folder.ts'

/** A database in a snapshot, and where to read it. */
export type StoredDatabase = { folder: BackupFolder; snapshot: string; database: ManifestDatabase }

/**
 * Copies a whole SQLite file out of a snapshot, to its name in `target`.
 * @throws BackupError if it is damaged, not the database that the manifest describes, or has what its migrations do not
 * make
 */
export async function copyStoredSqlite(
  { folder, snapshot, database }: StoredDatabase,
  knownMigrations: Record<string, Migration>,
  target: string,
): Promise<void> {
  const { name, files, migrations } = database
  if (files.length !== 1)
    throw new BackupError(`${snapshot} has ${files.length} files of the database ${name}, not one`)
  const path = join(target, `${name}.sqlite`)
  await copyOut(folder.readWritten(snapshotPath(snapshot, files[0].file), files[0]), path)
  try {
    const found = describeTables(path)
    if (found === undefined) throw new Error(`${name} is not a database of this program`)
    if (found.migrations.join() !== migrations.join())
      throw new Error(`${name} has other migrations than the manifest says`)
    requireSameColumns(database, found.tables)
    requireSameRows(database, found.tables)
    await requireOwnSchema(path, { name, migrations: migrationsUntil(knownMigrations, database) }, target)
  } catch (cause) {
    throw new BackupError(`${snapshotPath(snapshot, files[0].file)} is damaged: ${(cause as Error).message}`, { cause })
  }
}

/** Reads the tables of a snapshot as texts. Of SQLite, from the file in `copied`. */
export function storedTexts(
  { folder, snapshot, database }: StoredDatabase,
  engine: Manifest['engine'],
  copied: string,
): TableTexts {
  if (engine === 'SQLite') return textsOfSqlite(join(copied, `${database.name}.sqlite`), database)
  return {
    ...database,
    text({ name }) {
      const file = database.files.find(({ table }) => table === name)
      if (file === undefined) throw new BackupError(`${snapshot} has no file of the table ${database.name}.${name}`)
      const path = snapshotPath(snapshot, file.file)
      return unpack(folder.readWritten(path, file), path)
    },
  }
}
