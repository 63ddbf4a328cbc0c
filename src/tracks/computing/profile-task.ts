import type { TracksDeps } from '../deps.ts'
import { decodePauses } from '../domain/pauses.ts'
import { readAllChunks } from '../storage/chunks-store.ts'
import type { TrackRow } from '../storage/tables.ts'
import type { ProfileTask } from './points-task.ts'

/** What a computing thread needs of a track. */
export async function profileTask(
  { db, maxAccuracyMeters }: Pick<TracksDeps, 'db' | 'maxAccuracyMeters'>,
  row: TrackRow,
): Promise<ProfileTask> {
  const chunks = await readAllChunks(db, row.id)
  return {
    chunks: chunks.map(({ bytes }) => bytes),
    pauses: decodePauses(row.pauses),
    settings: { activityType: row.activity_type, maxAccuracyMeters },
  }
}
