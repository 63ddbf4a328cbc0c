import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import type { Terrain, TerrainFile } from '#platform/basics/terrain.ts'
import { isDatabaseUnavailable } from '#platform/database/database-failure.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { SharedWork } from '#platform/jobs/work-queue.ts'
import type { TrackRow, TracksTables } from '../model/tables.ts'
import { lockTrack, wholeEvent } from '../model/track-rows.ts'
import { decodePauses, type ShownPart, shownPartOf } from '../model/track-state.ts'
import type { TracksStore } from '../model/tracks-store.ts'
import { readChunks } from '../points/storage/chunks-store.ts'
import { type CallerKind, createBackgroundQueue } from '../points/turns.ts'
import type { CourseOf } from './event-courses.ts'
import { settingsOf } from './examined-track.ts'
import type { ComputingDeps, Inline, PointsPool } from './points-pool.ts'
import { cancellationOf, type TrackPoints } from './points-tasks.ts'
import { type KeptStatisticsJson, STATISTICS_METHOD, type StatisticsJson } from './statistics.ts'
import type { TrackTerrain } from './terrain-heights.ts'

/** Attempts to read a track and its points with no point arriving in between. After that, the track is locked. */
const MAX_ATTEMPTS = 3

/** Statistics with their row, and statistics of the shown part if the track is trimmed. */
type RowStatistics = { row: TrackRow; statistics: StatisticsJson; shown?: StatisticsJson }
type Computed = RowStatistics & { method: string }

/**
 * Returns the current statistics of a track. Missing ones are computed in the caller's turn, unless the client leaves
 * first.
 * @throws unavailable if too many computations wait
 */
export type CurrentStatistics = (row: TrackRow, caller: CallerKind, left?: AbortSignal) => Promise<RowStatistics>

type StoredBytes = { count: number; bytes: Uint8Array }
type Deps = FigureDeps & { tracks: TracksStore; logger: Logger }

/**
 * Computes statistics on demand. They are a pure function of the stored points, so they are stored with the revision
 * they were computed from, and nothing needs to be maintained while points arrive.
 */
export function createCurrentStatistics(deps: Deps): CurrentStatistics {
  const { db, tracks, pool, turns, logger, terrain, maxAccuracyMeters } = deps
  const inProgress = new SharedWork<RowStatistics>()
  const hasCurrentFigures = createFiguresCheck(maxAccuracyMeters, terrain)

  async function compute(given: TrackRow, caller: CallerKind, abandoned: AbortSignal): Promise<Computed> {
    // Nobody but a phone takes time of the thread that answers phones.
    const inline = caller === 'phone' ? 'inline if short' : 'in a thread'
    const { row, method, points } = await gatherInputs(deps, given.event_id, readMatching(given), inline, abandoned)
    const { whole, shown } = await pool.statistics(points, inline)
    return { row, method, statistics: whole, ...(shown && { shown }) }
  }

  /**
   * Stores statistics for the next reader. The current one does not wait, nor does it fail where the database is
   * read-only, as with a full disk.
   */
  async function store({ row: { id, revision }, method, statistics, shown }: Computed): Promise<void> {
    try {
      const kept: KeptStatisticsJson = { ...statistics, ...(shown && { shown }) }
      const stored = { json: JSON.stringify(kept), distanceMeters: (shown ?? statistics).distance_meters }
      await tracks.keepStatistics(id, revision, method, stored)
    } catch (err) {
      if (!isDatabaseUnavailable(err)) logger.error({ err, trackId: id }, 'storing statistics failed')
    }
  }

  return async function currentStatistics(row, caller, left) {
    await terrain.look()
    if (hasCurrentFigures(row)) {
      const { shown, ...statistics }: KeptStatisticsJson = JSON.parse(row.computed_stats!)
      return { row, statistics: withoutPoints(row, statistics), shown }
    }
    // Shared by callers with the same row, so that nobody gets an older one. A phone never waits for the turn of
    // someone else.
    return await inProgress.join(
      `${row.id} ${row.updated_at} ${row.revision} ${caller} ${terrain.file()}`,
      left,
      async (abandoned) => {
        const computed = await turns.take(caller, () => compute(row, caller, abandoned), abandoned)
        void store(computed)
        return { ...computed, statistics: withoutPoints(computed.row, computed.statistics) }
      },
    )
  }

  /** Reads the track and its points from the same moment, although points may arrive at any time. */
  async function readMatching(given: TrackRow): Promise<TrackWithChunks> {
    let row = given
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const chunks = await readChunks(db, row.id)
      if (countOf(chunks) === row.point_count) return { row, chunks }
      row = await tracks.get(wholeEvent(row.event_id), row.id)
    }
    return await readLocked(db, row.id)
  }
}

/** Reads both under a lock, for a track that is written to constantly. */
async function readLocked(db: Kysely<TracksTables>, id: string): Promise<TrackWithChunks> {
  return await inTransaction(
    db,
    async (transaction) => {
      const row = await lockTrack(transaction, id, 'forShare')
      const chunks = await readChunks(transaction, id)
      if (countOf(chunks) !== row.point_count) throw new Error(`points of track ${id} do not add up to its count`)
      return { row, chunks }
    },
    { isolation: 'read committed' },
  )
}

function countOf(chunks: readonly StoredBytes[]): number {
  return chunks.reduce((sum, { count }) => sum + count, 0)
}

/** Takes the duration of a track without points from its own times. */
export function withoutPoints(row: TrackRow, statistics: StatisticsJson): StatisticsJson {
  if (row.point_count > 0 || row.end_ms === null) return statistics
  return { ...statistics, duration_sec: Math.floor((row.end_ms - row.start_ms) / 1000 + 0.5) }
}

/** Tells whether the stored statistics of a track cover all its points, by the present method. */
export type HasCurrentFigures = (row: TrackRow) => boolean

/**
 * Creates the check of everyone who shows or refreshes stored statistics. A process that does not know the chosen
 * terrain takes figures with any for current, so that it does not undo what another has computed.
 */
export function createFiguresCheck(maxAccuracyMeters: number, terrain?: TerrainUnderTracks): HasCurrentFigures {
  const isCurrentMethod = (method: string | null) => {
    const file = terrain?.file()
    return file === undefined
      ? method?.split(' ')[0] === methodOf(maxAccuracyMeters)
      : method === methodOf(maxAccuracyMeters, file)
  }
  return (row) =>
    row.computed_stats !== null && row.computed_revision === row.revision && isCurrentMethod(row.computed_method)
}

/** Shortest time between two computations of a track that changes constantly. */
const MIN_INTERVAL_MS = 20_000
/** The computation times of so many tracks are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 5000

/** Queues the tracks whose stored statistics are outdated. */
export type RefreshStatistics = (rows: readonly TrackRow[]) => void

/**
 * Refreshes outdated statistics in the background, one track at a time. Lists and live maps show the statistics
 * computed last, because computing thousands of tracks would take too long. Reading a list refreshes them for the next
 * read.
 */
export function createRefreshStatistics(
  currentStatistics: CurrentStatistics,
  hasCurrentFigures: HasCurrentFigures,
  now: () => number,
): RefreshStatistics {
  const computedAt = new Map<string, number>()
  const queue = createBackgroundQueue((row: TrackRow) =>
    currentStatistics(row, 'maintenance').finally(() => computedAt.set(row.id, now())),
  )

  return (rows) => {
    if (computedAt.size > MAX_REMEMBERED) dropBefore(computedAt, now() - MIN_INTERVAL_MS)
    for (const row of rows) {
      const isRecent = now() - (computedAt.get(row.id) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS
      if (!hasCurrentFigures(row) && !isRecent) queue.add(row.id, row)
    }
  }
}

function dropBefore(times: Map<string, number>, untilMs: number): void {
  for (const [id, timeMs] of times) if (timeMs < untilMs) times.delete(id)
}

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
type TerrainUnderTracks = ReturnType<typeof createTerrainUnderTracks>

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
