import type { Kysely } from 'kysely'
import type { KeptData } from '#platform/backup/kept-data.ts'
import { tracksMigrations } from '../migrations/all-migrations.ts'
import { inspectTracks } from '../storage/inspect-chunks.ts'
import { repairChunk } from '../storage/repair-chunk.ts'
import type { TracksTables } from '../storage/tables.ts'

/** The data of the service, for backups. */
export const keptTracks: KeptData = {
  name: 'tracks',
  migrations: tracksMigrations,
  endedByRestore: [],
  blobs: {},
  folders: [],
  inspectRows: (db, after, isDue) => inspectTracks(db as Kysely<TracksTables>, after, isDue),
  repairRow: (db, key, backup) => repairChunk(db as Kysely<TracksTables>, key, backup as Kysely<TracksTables>),
}
