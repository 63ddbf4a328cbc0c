import type { Kysely } from 'kysely'
import { decodePauses } from '../domain/pauses.ts'
import { readAllChunks } from '../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import type { ProfileTask } from './points-task.ts'

export type ProfileDeps = {
  db: Kysely<TracksTables>
  /** Points with a worse accuracy are left out of the statistics; 0 disables the limit. */
  maxAccuracyMeters: number
}

/** Reads what a worker thread needs to compute a track's series, splits or raw points. */
export async function profileTask({ db, maxAccuracyMeters }: ProfileDeps, row: TrackRow): Promise<ProfileTask> {
  const chunks = await readAllChunks(db, row.id)
  return {
    chunks: chunks.map(({ bytes }) => bytes),
    pauses: decodePauses(row.pauses),
    settings: { activityType: row.activity_type, maxAccuracyMeters },
  }
}
