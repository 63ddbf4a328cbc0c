import type { Database } from '#platform/database/connect.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open-database.ts'
import { operatorMigrations } from '../migrations/all-migrations.ts'
import type { OperatorTables } from './tables.ts'

/** The part's database, brought up to date; for the server and, without all that a server needs, for the admin command. */
export function openOperatorDatabase(settings: DatabaseSettings): Promise<Database<OperatorTables>> {
  return openDatabase<OperatorTables>(settings, 'operator', operatorMigrations)
}
