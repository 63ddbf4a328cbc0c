import type { TilePlace } from '#platform/basics/terrain.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { isTrimmed, type Pause, type ShownPart } from '../model/track-state.ts'
import { ChunkDamagedError } from '../points/chunks/bytes.ts'
import {
  decodeChunk,
  decodeChunkPositions,
  decodeChunkTimes,
  decodeTail,
  type StoredTail,
} from '../points/chunks/chunk-codec.ts'
import { concatColumns, type PointColumns, pointsWithin, pointValues } from '../points/point-columns.ts'
import { courseHeights, decodeCourseLine, encodeCourseLine, type StoredHeights } from './course-line.ts'
import { trimmedEnds } from './downsample.ts'
import { evenLine, eventHeights, heightsAlong } from './event-heights.ts'
import { type ExaminedTrack, examineTrack, LEFT_OUT_CODES, leftOutPoints } from './examined-track.ts'
import { computeReplayLine, type ReplayLine, type ReplayPart, replayLineJson } from './replay-line.ts'
import type { RawPointList } from './schemas.ts'
import { computeSeries, seriesJson } from './series.ts'
import { computeSplits, splitsJson } from './splits.ts'
import { computeStatistics, type StatisticsJson, type StatisticsSettings } from './statistics.ts'
import { type TrackTerrain, terrainHeights, tilesUnder } from './terrain-heights.ts'

/** The encoded chunks of a track, in time order, and the other inputs of its statistics. */
export type TrackPoints = {
  chunks: Uint8Array[]
  pauses: readonly Pause[]
  settings: StatisticsSettings
  /** The heights of the event's course; absent without any. */
  course?: StoredHeights | undefined
  /** The terrain under the track; absent without any. */
  terrain?: TrackTerrain | undefined
  /** Ends the task early. */
  cancellation?: Cancellation
}

/** The points of a track of which a part is shown. */
type ShownTrackPoints = TrackPoints & { shown: ShownPart }

/** A track to compute the statistics of. For a spectator, only the shown part counts. */
export type FiguresTask = ShownTrackPoints & { isShownPartOnly?: boolean }

export type TimesTask = { chunks: Uint8Array[] }
export type TailsTask = { tails: StoredTail[] }
/** The statistics of a whole track, and of its shown part if it is trimmed. */
export type TrackFigures = { whole: StatisticsJson; shown?: StatisticsJson }

/** Computes the statistics of a track; of the shown part alone, it is all that counts. @throws ChunkDamagedError */
export function computeTrackFigures(task: FiguresTask): TrackFigures {
  const points = decodeTrack(task)
  const settings = withHeights(task)
  const shown = () => computeStatistics(pointsWithin(points, task.shown), task.pauses, settings)
  if (task.isShownPartOnly) return { whole: shown() }
  const whole = computeStatistics(points, task.pauses, settings)
  return isTrimmed(task.shown) ? { whole, shown: shown() } : { whole }
}

function withHeights({ settings, course, terrain }: TrackPoints): StatisticsSettings {
  return { ...settings, course: course && courseHeights(course), terrain: terrain && terrainHeights(terrain) }
}

/** A track to find the tiles under, in a file with these zoom levels. */
export type TilesTask = { chunks: Uint8Array[]; minZoom: number; maxZoom: number }

/** Returns the places of the tiles under a track. @throws ChunkDamagedError */
export function readTilesUnder({ chunks, ...zooms }: TilesTask): TilePlace[] {
  const parts = chunks.map(decodeChunkPositions)
  return tilesUnder({ latitude: joined(parts, 'latitude'), longitude: joined(parts, 'longitude') }, zooms)
}

function joined<Name extends string>(parts: readonly Record<Name, Float64Array>[], name: Name): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part[name].length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part[name], at)
    at += part[name].length
  }
  return all
}

/** Tracks along one course, to compare their heights. */
export type HeightsAlongTask = { line: Uint8Array; tracks: Pick<TrackPoints, 'chunks' | 'pauses' | 'settings'>[] }

/** Returns the heights of tracks at even places of a course; none of a damaged track, which must not hide others. */
export function readHeightsAlong({ line, tracks }: HeightsAlongTask): Float64Array[] {
  const heightsOf = heightsAlong(evenLine(decodeCourseLine(line)))
  return tracks.flatMap((track) => {
    try {
      const { altitudes, trace } = examineTrack(decodeTrack(track), track.pauses, track.settings)
      return [heightsOf(altitudes, trace)]
    } catch (error) {
      if (error instanceof ChunkDamagedError) return []
      throw error
    }
  })
}

/** Heights of phones at even places of a course. */
export type EventHeightsTask = { line: Uint8Array; phones: Float64Array[] }

/** Returns a course with the heights of phones as well, encoded as the course is; undefined if they tell nothing. */
export function encodeEventHeights({ line, phones }: EventHeightsTask): Uint8Array | undefined {
  const even = evenLine(decodeCourseLine(line))
  const altitude = eventHeights(even, phones)
  return altitude && encodeCourseLine({ ...even, altitude })
}

/** Decodes the ends of tracks. @throws ChunkDamagedError */
export function readEndsOfTracks({ tails }: TailsTask): PointColumns[] {
  return tails.map(decodeTail)
}

/** Decodes the times of points, chunk by chunk; none of a damaged chunk, which must not hide other tracks. */
export function readTimesOfChunks({ chunks }: TimesTask): Float64Array[] {
  return chunks.map((chunk) => {
    try {
      return decodeChunkTimes(chunk)
    } catch (error) {
      if (error instanceof ChunkDamagedError) return new Float64Array()
      throw error
    }
  })
}

/** Decodes all points of a track. @throws ChunkDamagedError; Error if the task is abandoned */
function decodeTrack({ chunks, cancellation }: TrackPoints): PointColumns {
  return concatColumns(
    chunks.map((chunk) => {
      throwIfCancelled(cancellation)
      return decodeChunk(chunk)
    }),
  )
}

/** A view of the points of a track. */
export type ProfileView =
  | { name: 'series'; maxPoints: number; for: 'operator' | 'spectator' }
  | { name: 'splits'; meters: number }
  | { name: 'raw-points'; from: number; limit: number }

export type ProfileTask = ShownTrackPoints & { trackId: string; view: ProfileView }

/**
 * Writes a view of a track as JSON, in the thread that computes it: writing a long series takes several milliseconds.
 * @throws ChunkDamagedError; Error if the task is abandoned
 */
export function writeProfile({ trackId, view, ...task }: ProfileTask): Uint8Array {
  const points = decodeTrack(task)
  throwIfCancelled(task.cancellation)
  // Raw points are returned exactly as sent. Everything else describes the shown part.
  const described = view.name === 'raw-points' ? points : pointsWithin(points, task.shown)
  const track = examineTrack(described, task.pauses, withHeights(task))
  throwIfCancelled(task.cancellation)
  return new TextEncoder().encode(JSON.stringify(profileJson()))

  function profileJson(): object {
    if (view.name === 'splits') {
      return splitsJson(trackId, view.meters, computeSplits(track, task.settings, view.meters))
    }
    if (view.name === 'raw-points') return pageOfRawPoints(trackId, view, points, track)
    const series = computeSeries(described, track, view.maxPoints)
    // Outliers and trimmed ends are for operators, not for spectators.
    const hidden = view.for === 'operator' ? trimmedEnds(points, task.shown, task.settings) : undefined
    return seriesJson(trackId, series, hidden)
  }
}

/** Represents a page of points as they were sent, each with the reason why statistics leave it out. */
function pageOfRawPoints(
  trackId: string,
  view: Extract<ProfileView, { name: 'raw-points' }>,
  points: PointColumns,
  track: ExaminedTrack,
): RawPointList {
  const codes = leftOutPoints(points, track)
  const length = Math.max(0, Math.min(view.limit, points.count - view.from))
  const list = Array.from({ length }, (_, i) => ({
    index: view.from + i,
    timestamp: formatDateTime(points.timeMs[view.from + i]),
    ...pointValues(points, view.from + i),
    left_out: LEFT_OUT_CODES[codes[view.from + i]] ?? null,
  }))
  return { track_id: trackId, total: points.count, points: list }
}

/** A track of a replay. Its points are read only for the task. */
export type ReplayTrackPoints = Omit<TrackPoints, 'cancellation'> & { part: ReplayPart }

/** Several tracks of a replay: one task for each would cost more in messages than in work. */
export type ReplayTask = { tracks: ReplayTrackPoints[]; cancellation?: Cancellation }

/**
 * Returns the lines of tracks for a replay, each as members of a JSON object without its braces, in the order of the
 * tracks; undefined for a track of which nothing is shown. A track whose points are damaged does not end the replay of
 * all others. `admin storage verify` finds it.
 * @throws Error if the task is abandoned
 */
export function writeReplayLines({ tracks, cancellation }: ReplayTask): (Uint8Array | undefined)[] {
  return tracks.map(({ part, ...track }) => {
    const line = readLine({ ...track, cancellation }, part)
    if (line === undefined || line.timeMs.length === 0) return undefined
    return new TextEncoder().encode(JSON.stringify(replayLineJson(line)).slice(1, -1))
  })
}

function readLine(track: TrackPoints, part: ReplayPart): ReplayLine | undefined {
  try {
    const points = decodeTrack(track)
    throwIfCancelled(track.cancellation)
    return computeReplayLine(points, track.pauses, track.settings, part)
  } catch (err) {
    if (err instanceof ChunkDamagedError) return undefined
    throw err
  }
}

/** A flag that other threads see: 1 once nobody waits for a task any more. */
type Cancellation = Int32Array<SharedArrayBuffer>

/** Returns the flag of a signal. Ending the thread instead would cost more than most tasks take. */
export function cancellationOf(signal: AbortSignal): Cancellation {
  const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const raise = () => void Atomics.store(flag, 0, 1)
  if (signal.aborted) raise()
  else signal.addEventListener('abort', raise, { once: true })
  return flag
}

/** Ends a task that nobody waits for. @throws Error if the flag is raised */
function throwIfCancelled(flag: Cancellation | undefined): void {
  if (flag !== undefined && Atomics.load(flag, 0) === 1) throw new Error('Nobody waits for this task any more')
}
