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
  blobs: { map_files: (db) => mapFiles(db as Kysely<OperatorTables>) },
  folders: ['maps'],
  findDamage: async () => [],
}

async function* mapFiles(db: Kysely<OperatorTables>): AsyncGenerator<NamedBlob> {
  const rows = await db.selectFrom('map_files').select(['blob_key', 'size_bytes', 'sha256']).execute()
  for (const { blob_key, size_bytes, sha256 } of rows) yield { key: blob_key, size: size_bytes, sha256 }
}
