import type { Kysely } from 'kysely'
import type { KeptData, NamedBlob } from '#platform/backup/kept-data.ts'
import { operatorMigrations } from '../migrations/all-migrations.ts'
import type { OperatorTables } from '../storage/tables.ts'

/**
 * The data of the service, for backups. A restored installation has no sessions and no sign-in links: some may have
 * been ended since the backup, and would be valid again.
 */
export const keptOperator: KeptData = {
  name: 'operator',
  migrations: operatorMigrations,
  endedByRestore: ['sessions', 'sign_in_links'],
  blobs: { map_files: (db, after) => mapFiles(db as Kysely<OperatorTables>, after) },
  folders: ['maps'],
}

/** There are a few, which are read at once. */
async function* mapFiles(db: Kysely<OperatorTables>, after = ''): AsyncGenerator<NamedBlob> {
  const rows = await db
    .selectFrom('map_files')
    .select(['blob_key', 'size_bytes', 'sha256'])
    .where('sha256', '>', after)
    .orderBy('sha256')
    .execute()
  for (const { blob_key, size_bytes, sha256 } of rows)
    yield { key: blob_key, size: size_bytes, sha256, at: sha256, subjectId: sha256 }
}
