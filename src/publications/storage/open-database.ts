import type { Database } from '#platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open/open-database.ts'
import { publicationsMigrations } from '../migrations/all-migrations.ts'
import type { PublicationsTables } from './tables.ts'

/** Opens and migrates the service's database, for the server and for the admin command. */
export function openPublicationsDatabase(settings: DatabaseSettings): Promise<Database<PublicationsTables>> {
  return openDatabase<PublicationsTables>(settings, 'publications', publicationsMigrations)
}
