import type { Kysely } from 'kysely'
import type { KeptData } from '#platform/backup/kept-data.ts'
import { tracksMigrations } from '../migrations/all-migrations.ts'
import { verifyStorage } from '../storage/inspect-chunks.ts'
import type { TracksTables } from '../storage/tables.ts'

/** The data of the service, for backups. */
export const keptTracks: KeptData = {
  name: 'tracks',
  migrations: tracksMigrations,
  endedByRestore: [],
  blobs: {},
  folders: [],
  async findDamage(db) {
    const { broken } = await verifyStorage(db as Kysely<TracksTables>)
    return broken.map(({ track_id, first_ts, problem }) => `track ${track_id}, chunk ${first_ts ?? 'any'}: ${problem}`)
  },
}
