import type { Database } from '#platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open/open-database.ts'
import { operatorMigrations } from '../migrations/all-migrations.ts'
import type { OperatorTables } from './tables.ts'

/** Opens and migrates the operators' database, for the server and the admin commands. */
export function openOperatorDatabase(settings: DatabaseSettings): Promise<Database<OperatorTables>> {
  return openDatabase<OperatorTables>(settings, 'operator', operatorMigrations)
}
