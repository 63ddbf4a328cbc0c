import type { Kysely } from 'kysely'
import type { KeptData, NamedBlob } from '#platform/backup/kept-data.ts'
import type { SealedColumn } from '#platform/credentials/sealed-columns.ts'
import type { Database } from '#platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open-database.ts'
import { operatorMigrations } from './migrations.ts'
import type { OperatorTables } from './tables.ts'

/** Opens and migrates the operators' database, for the server and the admin commands. */
export function openOperatorDatabase(settings: DatabaseSettings): Promise<Database<OperatorTables>> {
  return openDatabase<OperatorTables>(settings, 'operator', operatorMigrations)
}

/** The purpose of the keys that seal the secrets of authenticator apps. */
export const TOTP_SECRETS = 'second factors'

/** Every column of this service whose texts are sealed. Its tokens are stored as hashes alone. */
export const operatorSealedColumns: readonly SealedColumn[] = [
  { table: 'totp_secrets', id: 'operator_id', column: 'secret', purpose: TOTP_SECRETS },
]

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
