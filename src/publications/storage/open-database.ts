import type { Database } from '#platform/database/connect.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open-database.ts'
import { publicationsMigrations } from '../migrations/all-migrations.ts'
import type { PublicationsTables } from './tables.ts'

/** The service's database, brought up to date; for the server and, without all that a server needs, for the admin command. */
export function openPublicationsDatabase(settings: DatabaseSettings): Promise<Database<PublicationsTables>> {
  return openDatabase<PublicationsTables>(settings, 'publications', publicationsMigrations)
}
