import { decodeChunk, decodeChunkTimes } from '../chunks/chunk-codec.ts'
import { ChunkDamagedError } from '../chunks/chunk-damaged-error.ts'
import { decodeTail, type StoredTail } from '../chunks/decode-tail.ts'
import type { Pause } from '../domain/pauses.ts'
import { isTrimmed, type ShownPart } from '../domain/shown-part.ts'
import type { PointColumns } from '../points/point-columns.ts'
import { concatColumns, pointsWithin } from '../points/point-set.ts'
import { computeStatistics, type StatisticsSettings, type TrackStatistics } from '../statistics/statistics.ts'
import { type Abandonment, throwIfAbandoned } from './abandonment.ts'

/** The encoded chunks of a track, in time order, and what else its statistics depend on. */
export type TrackPoints = {
  chunks: Uint8Array[]
  pauses: readonly Pause[]
  settings: StatisticsSettings
  /** Ends the task early. */
  abandonment?: Abandonment
}

/** The points of a track of which a part is shown. */
export type ShownTrackPoints = TrackPoints & { shown: ShownPart }

/** A track to compute the statistics of. Of a spectator's, only those of the shown part are wanted. */
export type FiguresTask = ShownTrackPoints & { isShownPartOnly?: boolean }

/** A task that is too long for the thread that answers requests. */
export type StatisticsTask = FiguresTask & { kind: 'statistics' }
export type TimesTask = { kind: 'times'; chunks: Uint8Array[] }
export type TailsTask = { kind: 'tails'; tails: StoredTail[] }
export type MergeTask = { kind: 'merge'; chunks: Uint8Array[] }
/** Runs the code a few times, which makes it several times as fast. */
export type WarmUpTask = { kind: 'warm-up' }

/** The statistics of a whole track, and those of its shown part if it is trimmed. */
export type TrackFigures = { whole: TrackStatistics; shown?: TrackStatistics }

/** Computes the statistics of a track; of the shown part alone, it is all that counts. @throws ChunkDamagedError */
export function computeTrackFigures(task: FiguresTask): TrackFigures {
  const points = decodeTrack(task)
  if (task.isShownPartOnly) {
    return { whole: computeStatistics(pointsWithin(points, task.shown), task.pauses, task.settings) }
  }
  const whole = computeStatistics(points, task.pauses, task.settings)
  if (!isTrimmed(task.shown)) return { whole }
  return { whole, shown: computeStatistics(pointsWithin(points, task.shown), task.pauses, task.settings) }
}

/** Decodes the ends of tracks. @throws ChunkDamagedError */
export function readEndsOfTracks({ tails }: Pick<TailsTask, 'tails'>): PointColumns[] {
  return tails.map(decodeTail)
}

/** Decodes the times of points, chunk by chunk; none of a damaged chunk, which must not hide other tracks. */
export function readTimesOfChunks({ chunks }: Pick<TimesTask, 'chunks'>): Float64Array[] {
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
export function decodeTrack({ chunks, abandonment }: TrackPoints): PointColumns {
  return concatColumns(
    chunks.map((chunk) => {
      throwIfAbandoned(abandonment)
      return decodeChunk(chunk)
    }),
  )
}
