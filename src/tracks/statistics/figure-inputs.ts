import type { TrackRow } from '../model/tables.ts'
import { decodePauses, type ShownPart, shownPartOf } from '../model/track-state.ts'
import type { CourseOf } from './event-courses.ts'
import { settingsOf } from './examined-track.ts'
import type { ComputingDeps, Inline } from './points-pool.ts'
import { cancellationOf, type TrackPoints } from './points-tasks.ts'
import { STATISTICS_METHOD } from './statistics.ts'
import type { TerrainUnderTracks } from './terrain-under-tracks.ts'

/** Everything that figures of a track are computed with, the heights of its course and of the terrain included. */
export type FigureDeps = ComputingDeps & { courseOf: CourseOf; terrain: TerrainUnderTracks }

/** A track with its encoded points. */
type TrackWithChunks = { row: TrackRow; chunks: readonly { bytes: Uint8Array }[] }

/** The points of a track with all that its figures depend on, and the method of statistics computed of them. */
type FigureInputs = { row: TrackRow; method: string; points: TrackPoints & { shown: ShownPart } }

/**
 * Gathers the inputs of a track's figures.
 * @param reading the track as it is read at the moment
 * @param inline place where the tiles under the track are found
 * @param abandoned aborts when nobody waits for the figures any more, and ends their computation
 * @throws the reason of `abandoned`, and the errors of `reading`
 */
export async function gatherInputs(
  { courseOf, terrain, maxAccuracyMeters }: FigureDeps,
  eventId: string,
  reading: Promise<TrackWithChunks>,
  inline: Inline,
  abandoned?: AbortSignal,
): Promise<FigureInputs> {
  // A change of the course makes the revision another one, so that no figure of the old course is stored.
  const [{ row, chunks }, course] = await Promise.all([reading, courseOf(eventId)])
  abandoned?.throwIfAborted()
  const encoded = chunks.map(({ bytes }) => bytes)
  const under = await terrain.under(encoded, inline)
  abandoned?.throwIfAborted()
  const points = {
    chunks: encoded,
    pauses: decodePauses(row.pauses),
    settings: settingsOf(row, maxAccuracyMeters),
    course,
    terrain: under.terrain,
    shown: shownPartOf(row),
    ...(abandoned && { cancellation: cancellationOf(abandoned) }),
  }
  return { row, method: methodOf(maxAccuracyMeters, under.file), points }
}

/**
 * Returns the inputs of stored statistics besides the track: another version, another setting or another file with the
 * terrain computes others. Without such a file its name is empty.
 */
export function methodOf(maxAccuracyMeters: number, terrainFile = ''): string {
  const method = `${STATISTICS_METHOD}/${maxAccuracyMeters}`
  return terrainFile === '' ? method : `${method} ${terrainFile}`
}
