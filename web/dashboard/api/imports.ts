import type { ImportedTrack, TracksImported } from '../../../src/tracks/schemas/imports.ts'
import { apiPaths } from './api-paths.ts'
import { sendFile } from './send-file.ts'

export type { ImportedTrack }

type Progress = { signal: AbortSignal; onSent(sentBytes: number): void }

/** Imports a recording into an event; its content tells the format. Throws like {@link sendFile}. */
export async function importFile(eventId: string, file: File, progress: Progress): Promise<TracksImported> {
  const type = 'application/octet-stream'
  return JSON.parse(
    await sendFile('POST', apiPaths.importTracks(eventId), file, { ...progress, type }),
  ) as TracksImported
}
