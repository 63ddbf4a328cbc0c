import type { Database } from '#platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open/open-database.ts'
import { tracksMigrations } from '../migrations/all-migrations.ts'
import type { TracksTables } from './tables.ts'

/** The service's database, brought up to date; for the server and, without all that a server needs, for the admin command. */
export function openTracksDatabase(settings: DatabaseSettings): Promise<Database<TracksTables>> {
  return openDatabase<TracksTables>(settings, 'tracks', tracksMigrations)
}
