import type { Database } from '#platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open/open-database.ts'
import { tracksMigrations } from '../migrations/all-migrations.ts'
import type { TracksTables } from './tables.ts'

/** Opens the service's database and migrates it, for the server and the admin command. */
export function openTracksDatabase(settings: DatabaseSettings): Promise<Database<TracksTables>> {
  return openDatabase<TracksTables>(settings, 'tracks', tracksMigrations)
}
