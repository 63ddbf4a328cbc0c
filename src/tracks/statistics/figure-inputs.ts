import type { Logger } from '#platform/basics/logger.ts'
import type { Terrain, TerrainFile } from '#platform/basics/terrain.ts'
import type { TrackRow } from '../model/tables.ts'
import { decodePauses, type ShownPart, shownPartOf } from '../model/track-state.ts'
import type { CourseOf } from './event-courses.ts'
import { settingsOf } from './examined-track.ts'
import type { ComputingDeps, Inline, PointsPool } from './points-pool.ts'
import { cancellationOf, type TrackPoints } from './points-tasks.ts'
import { STATISTICS_METHOD } from './statistics.ts'
import type { TrackTerrain } from './terrain-heights.ts'

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

/** The terrain under a track, and the name of its file for `methodOf`. */
type Found = { file: string; terrain?: TrackTerrain }

const NONE: Found = { file: '' }

/** The terrain that operators have chosen, under tracks. */
export type TerrainUnderTracks = ReturnType<typeof createTerrainUnderTracks>

/** Creates the reader of the terrain under tracks. Until it is connected, and with no file chosen, there is none. */
export function createTerrainUnderTracks(pool: PointsPool, logger: Logger) {
  let connected: Terrain | undefined
  let last: TerrainFile | undefined
  let isKnown = false
  let looking: Promise<void> | undefined

  /** Learns which file is chosen. While nobody knows, as without the operators' database, the last one counts. */
  async function look(): Promise<void> {
    looking ??= learn().finally(() => {
      looking = undefined
    })
    await looking
  }

  async function learn(): Promise<void> {
    try {
      last = await connected?.chosen()
      isKnown = connected !== undefined
    } catch (err) {
      logger.warn({ err }, 'the chosen terrain could not be read')
    }
  }

  async function read(chosen: TerrainFile, chunks: Uint8Array[], inline: Inline): Promise<Found> {
    const { encoding, errorMeters, minZoom, maxZoom } = chosen
    const places = await pool.tilesUnder({ chunks, minZoom, maxZoom }, inline)
    const found = await connected!.tiles(chosen, places)
    const tiles = places.flatMap(({ x, y }, i) => {
      const tile = found[i]
      return tile === undefined ? [] : [{ x, y, tile }]
    })
    const file = nameOf(chosen)
    return tiles.length === 0 ? { file } : { file, terrain: { encoding, errorMeters, zoom: places[0].zoom, tiles } }
  }

  return {
    /** Takes the terrain from the service that has it. */
    connect(terrain: Terrain): void {
      connected = terrain
    },

    look,

    /**
     * Returns the name of the chosen file for `methodOf`, as it was when it was last looked for, and looks again;
     * undefined if this process does not know, as without the dashboard.
     */
    file(): string | undefined {
      void look()
      return isKnown ? nameOf(last) : undefined
    },

    /**
     * Reads the terrain under a track. If the files cannot be reached, figures are computed without it, and again
     * later: their method names no file.
     */
    async under(chunks: Uint8Array[], inline: Inline): Promise<Found> {
      await look()
      if (last === undefined || chunks.length === 0) return { file: nameOf(last) }
      try {
        return await read(last, chunks, inline)
      } catch (err) {
        logger.warn({ err }, 'the terrain under a track could not be read')
        return NONE
      }
    },
  }
}

function nameOf(file: TerrainFile | undefined): string {
  return file === undefined ? '' : `${file.contentKey.slice(0, 16)}:${file.errorMeters}`
}
